/** The last step of all output: control characters are escaped, and texts for people have no secrets. */
import { expect, test } from "vitest";
import type { Io, Output } from "../../src/cli/command.ts";
import { safeStreams } from "../../src/cli/output/safe-output.ts";

/** The outputs after a chunk, on standard output and standard error. */
function printed(chunk: string, isTerminal = false): readonly [string, string] {
  const texts: [string, string] = ["", ""];
  const output = (i: 0 | 1): Output => ({
    isTerminal,
    write: (text) => {
      texts[i] += text;
    },
  });
  const io = { stdin: [], stdout: output(0), stderr: output(1), signal: new AbortController().signal };
  const safe = safeStreams(io as unknown as Io);
  safe.stdout.write(chunk);
  safe.stderr.write(chunk);
  return texts;
}

test("control characters and marks of direction are escaped as in JSON; tabs and line ends are not", () => {
  const escaped = "\\u001b[31m\\u0085\\u202e\\u2066\t\n\r\n\\u000dx";
  expect(printed("\u001b[31m\u0085\u202e\u2066\t\n\r\n\rx")).toEqual([escaped, escaped]);
  const value = { name: "\u202e\u009b\u0007" };
  expect(JSON.parse(printed(JSON.stringify(value))[0])).toEqual(value);
});

test("a terminal gets colors, the progress line and the clearing of its screen, and nothing else", () => {
  const own = "\r\u001b[31mFAIL\u001b[0m\u001b[2J\u001b[H";
  expect(printed(own, true)[0]).toBe(own);
  expect(printed("\u001b]0;title\u0007\u001b[6n", true)[0]).toBe("\\u001b]0;title\\u0007\\u001b[6n");
});

test("secrets are masked in the texts of standard error, and not in the documents of standard output", () => {
  const given = "found `https://u:PASS@h/?api_key=PASS`";
  expect(printed(given)).toEqual([given, "found `https://***@h/?api_key=***`"]);
});
