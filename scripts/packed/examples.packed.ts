/** Runs the commands of the examples' README files, the types of the examples, and the executable. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a command line in the project, without the variables by which a test runner would notice the one around it. */
function run(line: string): Promise<Ended> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  return new Promise((resolve) => {
    execFile("bash", ["-c", line], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), output: `${out}${err}` }),
    );
  });
}

/** The exit code of a command when it is not 0: the monitoring script ends with 1 when it has found something. */
const exitCodes: Readonly<Record<string, number>> = { monitoring: 1 };

const folders = readdirSync("examples").filter((name) => existsSync(`examples/${name}/README.md`));
const lines = folders.flatMap((name) =>
  [...readFileSync(`examples/${name}/README.md`, "utf8").matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => ({
    line: line ?? "",
    code: exitCodes[name] ?? 0,
  })),
);

describe("the examples run by the lines of their README files", () => {
  test("each has a line", () => {
    expect(folders).toHaveLength(5);
    expect(lines.length).toBeGreaterThanOrEqual(folders.length);
  });

  test.each(lines)("$line", async ({ line, code }) => {
    const ended = await run(line);
    expect(ended.code, ended.output).toBe(code);
  });
});

test("the types of the package fit those of the installed packages", async () => {
  const { code, output } = await run("npx tsc -p .");
  expect(code, output).toBe(0);
});

test("the executable prints its version and runs the demo", async () => {
  const { version } = JSON.parse(readFileSync("node_modules/edgeproof/package.json", "utf8")) as {
    readonly version: string;
  };
  expect(await run("node_modules/.bin/edgeproof --version")).toEqual({ code: 0, output: `${version}\n` });
  expect(await run("node_modules/.bin/edgeproof demo")).toMatchObject({ code: 0 });
});
