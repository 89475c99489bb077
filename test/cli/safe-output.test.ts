/** The last step of all output: control characters are escaped, and credentials of addresses are masked. */
import { expect, test } from "vitest";
import type { Io, Output } from "../../src/cli/command.ts";
import { maskSecrets } from "../../src/cli/output/safe/mask-secrets.ts";
import { safeStreams } from "../../src/cli/output/safe/safe-output.ts";

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

test.each([
  ["postgres://u:PASS@h/db", "postgres://u:***@h/db"],
  ["postgres//u:PASS@h/db", "postgres//u:***@h/db"],
  ["postgres://u@h/db and postgresql://u@h/db", "postgres://u@h/db and postgresql://u@h/db"],
  ["found `https://u:P@SS@h`", "found `https://u:***@h`"],
  ["nats://TOKEN@h and nats//TOKEN:@h", "nats://***@h and nats//***@h"],
  ["at /a/https:~1~1u:PASS@h~1x", "at /a/https:~1~1u:***@h~1x"],
  ["https://h/?api_key=PASS&x=1&access_token=PASS", "https://h/?api_key=***&x=1&access_token=***"],
  ["me@example.com at https://example.com/a@b", "me@example.com at https://example.com/a@b"],
])("%s is printed as %s", (given, masked) => {
  expect(maskSecrets(given)).toBe(masked);
  expect(maskSecrets(masked)).toBe(masked);
  expect(printed(given)[1]).toBe(masked);
});

test("a long text is masked in linear time", () => {
  const from = process.cpuUsage();
  for (const part of ["//a:", "?key", "//@", "&sig", "~1~1a"]) maskSecrets(part.repeat(50_000));
  expect(process.cpuUsage(from).user).toBeLessThan(2_000_000);
});
