/** Splitting bytes into lines. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineSplitter } from "../../../src/import/traffic/lines.ts";

function split(chunks: readonly Uint8Array[], maxBytes?: number) {
  const lines: [number, string][] = [];
  const rejected: [number, string][] = [];
  const splitter = createLineSplitter(
    {
      line: (text, number) => lines.push([number, text]),
      rejected: (reason, number) => rejected.push([number, reason]),
    },
    maxBytes,
  );
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    splitter.push(reused);
    reused.fill(0);
  }
  splitter.end();
  return { lines, rejected };
}

/** Cuts bytes at positions. */
function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const at = [0, ...positions.map((p) => p % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

test("the lines are those of the text, wherever the chunks end", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replaceAll(/[\r\n]/g, ""))),
      fc.array(fc.nat(), { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
      (lines, positions, end) => {
        const bytes = Buffer.from(lines.map((line) => line.toWellFormed() + end).join(""));
        const found = split(cut(bytes, positions));
        expect(found.lines.map(([, line]) => line)).toEqual(lines.map((line) => line.toWellFormed()));
        expect(found.lines.map(([number]) => number)).toEqual(lines.map((_, i) => i + 1));
      },
    ),
  );
});

test("a last line without an end is a line, an empty rest is not", () => {
  expect(split([Buffer.from("a\nb")]).lines).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
  expect(split([Buffer.from("a\n")]).lines).toEqual([[1, "a"]]);
});

test.each([
  ["in one chunk", ["aaaaa\nb\n"]],
  ["in many chunks", ["aa", "aa", "a", "\nb\n"]],
  ["at the end of the file", ["b\naa", "aaa"]],
])("a line that is too long is rejected %s, and the others are read", (_where, chunks) => {
  const { lines, rejected } = split(
    chunks.map((chunk) => Buffer.from(chunk)),
    4,
  );
  expect(lines.map(([, line]) => line)).toEqual(["b"]);
  expect(rejected).toEqual([[expect.any(Number), "the line is longer than 4 bytes"]]);
});

test("a line that is not UTF-8 is rejected, one with the replacement character is read", () => {
  const { lines, rejected } = split([Buffer.from([0x61, 0xff, 0x0a]), Buffer.from("\ufffd\n")]);
  expect(rejected).toEqual([[1, "the line is not UTF-8"]]);
  expect(lines).toEqual([[2, "\ufffd"]]);
});
