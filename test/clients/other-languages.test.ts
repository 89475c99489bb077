/** The guide's programs for curl and Python, run against `edgeproof serve` as the guide starts it. */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { serving } from "../support/serving.ts";

const run = promisify(execFile);

const guide = readFileSync("docs/clients.md", "utf8");
const section = /^## curl, Python, Go\n([\s\S]*?)^## /m.exec(guide)?.[1] ?? "";
const blockOf = (language: string, start: string): string =>
  new RegExp(`^\`\`\`${language}\\n(${start}[\\s\\S]*?)^\`\`\`$`, "m").exec(section)?.[1] ?? "";

const command = /^npx edgeproof serve --port 8787 --admin-port 8789 (.*)$/m.exec(blockOf("sh", "npx"))?.[1];

/** Runs a program of the guide, with the addresses of a server of the test. */
async function runAgainstServer(program: string, code: string): Promise<string> {
  const words = ["--admin-port", "0", ...(command?.split(" ") ?? [])];
  return serving(words, async ({ url, admin }) => {
    const origin = new URL(url).origin;
    const text = code.replaceAll("http://127.0.0.1:8787", origin).replaceAll("http://127.0.0.1:8789", admin);
    const { stdout, stderr } = await run(program, ["-c", text], { timeout: 60_000 });
    expect(stderr).toBe("");
    return stdout;
  });
}

/** Whether a program can be run; says loudly that its tests are skipped. */
function isMissing(program: string): boolean {
  const found = spawnSync(program, ["--version"]).status === 0;
  if (!found) console.error(`${program} is not installed: the guide's programs for it are SKIPPED`);
  return !found;
}

test("the guide has a command line, and programs for curl and Python", () => {
  expect(command).toBe("--allow-faults");
  expect(blockOf("sh", "curl").split("\n")).toHaveLength(4);
  expect(blockOf("python", "import").match(/^assert /gm)).toHaveLength(2);
});

describe.skipIf(isMissing("curl"))("curl", () => {
  test("prints what the guide shows", async () => {
    const printed = await runAgainstServer("sh", blockOf("sh", "curl"));
    const lines = printed.split("\n");
    const shown = blockOf("text", "").trimEnd().split("\n");
    expect(shown).toHaveLength(5);
    // Long answers are shown by their start; the last bracket of an array is part of it.
    expect(lines.map((line, i) => line.slice(0, shown[i]?.length))).toEqual(shown);
  });
});

describe.skipIf(isMissing("python3"))("Python", () => {
  test("the program ends without an error, and its second run does too", async () => {
    const code = blockOf("python", "import");
    await runAgainstServer("python3", `${code}\n${code}`);
  });

  test("the program fails when the fault goes on", async () => {
    const code = blockOf("python", "import").replace('"times": 2', '"times": 3');
    await expect(runAgainstServer("python3", code)).rejects.toThrow(/TimeoutError/);
  });
});
