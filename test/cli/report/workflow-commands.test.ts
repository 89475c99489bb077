/** Names in files begin no workflow command in the log of GitHub Actions. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Io, Output } from "../../../src/cli/command.ts";
import { type Format, formats } from "../../../src/cli/options/output.ts";
import { printReport } from "../../../src/cli/output/report/formats.ts";
import { safeStreams } from "../../../src/cli/output/safe-output.ts";
import { temporaryFolder } from "../../store/open.ts";
import { edgeproof } from "../../support/cli.ts";
import { hostileReport, hostileStrings } from "./hostile-report.ts";

const folder = await temporaryFolder();
const env = { GITHUB_ACTIONS: "true" };

/** Lines that the runner would read as commands. */
function commandsIn(text: string): readonly string[] {
  return text.split(/[\r\n]/).filter((line) => line.trimStart().startsWith("::") || line.includes("##["));
}

const hostile = ["::set-output name=a::b", "##[set-output]x", "a\n  ::set-output name=y::z\n##[error]c"];

/** The contents of a report for a reader of its format; the other formats are for people. */
const valuesIn: Partial<Record<Format, (text: string) => unknown>> = {
  json: JSON.parse,
  sarif: JSON.parse,
  gitlab: JSON.parse,
  junit: (text) =>
    [...text.matchAll(/&#(\d+);|[^&]+|&/g)]
      .map(([all, code]) => (code ? String.fromCharCode(Number(code)) : all))
      .join(""),
};

async function printed(format: Format, variables = {}): Promise<string> {
  const chunks: string[] = [];
  const output: Output = { isTerminal: false, write: (chunk) => void chunks.push(chunk) };
  const signal = new AbortController().signal;
  const io: Io = { stdin: Readable.from([]), stdout: output, stderr: output, env: variables, signal };
  const report = hostileReport([...hostileStrings.slice(0, 4), ...hostile]);
  await printReport(report, { format: { printed: format, files: [] } }, safeStreams(io));
  return chunks.join("");
}

describe("on GitHub Actions", () => {
  test("the names of requests begin no command: neither verdicts, explanations nor differences", async () => {
    const world = join(folder, "world.json");
    const requests = join(folder, "requests.json");
    await writeFile(world, JSON.stringify({ zones: [{ id: "z", name: "example.com" }] }));
    const url = "https://example.com/";
    const named = ["::error::x", "##[add-mask]x", "a\n::set-output name=y::z"].map((name) => ({ url, name }));
    await writeFile(requests, JSON.stringify(named));
    const words = ["eval", "--world", world, "--requests", requests, "--expect", "block"];
    for (const more of [[], ["--explain"]]) {
      const { code, out, err } = await edgeproof([...words, ...more], "", { env });
      expect(code).toBe(1);
      expect(commandsIn(out + err)).toEqual([]);
      expect(out).toContain("add-mask]x");
      const elsewhere = await edgeproof([...words, ...more]);
      expect(elsewhere.out).toContain("##[add-mask]x");
    }
    const explained = await edgeproof([...words, "--explain"], "", { env });
    expect(explained.out).toContain("\\u003a:error::x\n");
    const annotated = await edgeproof([...words, "--format", "github"], "", { env });
    expect(commandsIn(annotated.out)).toHaveLength(3);
    expect(annotated.err).toBe("");
  });

  test.each(formats.filter((format) => format !== "github"))(
    "a report as %s begins no command, and has the values that it has elsewhere",
    async (format) => {
      const annotated = await printed(format, env);
      const elsewhere = await printed(format);
      expect(elsewhere).toContain("set-output");
      expect(commandsIn(annotated)).toEqual([]);
      const valuesOf = valuesIn[format];
      if (valuesOf) expect(valuesOf(annotated)).toEqual(valuesOf(elsewhere));
    },
  );

  test.each(["text", "json", "lcov", "html"])("coverage as %s begins no command", async (format) => {
    const world = join(folder, `coverage-${format}.json`);
    const zone = { name: "example.com", token_validation: { configs: [], rules: [] } };
    await writeFile(world, JSON.stringify({ zones: hostile.map((id) => ({ ...zone, id })) }));
    const words = ["eval", "--world", world, "--requests", "-", "--coverage", format];
    const request = JSON.stringify({ url: "https://example.com/", name: hostile[2] });
    const { out, err } = await edgeproof([...words, "--zone", hostile[0]!], request, { env });
    expect(`${out}${err}`).not.toBe("");
    expect(commandsIn(out + err)).toEqual([]);
  });

  test("the message of a usage error begins no command", async () => {
    const world = join(folder, "broken.json");
    await writeFile(world, JSON.stringify({ "\n::error::x": 1, "##[error]": 2 }));
    for (const words of [
      ["check", world],
      ["check", "a\n::error::x.json"],
    ]) {
      const { code, err } = await edgeproof(words, "", { env });
      expect([code, commandsIn(err)]).toEqual([2, []]);
    }
  });
});
