/** Decoding of text in the encodings of the Encoding Standard. */
import { describe, expect, test } from "vitest";
import { decodeText, encodingOf, utf8Chunks } from "../../src/core/text-decoding.ts";

describe("decodeText", () => {
  test("windows-1252 has printable characters where ISO 8859-1 has controls", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i);
    const text = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
    for (const label of ["windows-1252", "ISO-8859-1", "latin1", "us-ascii"]) {
      expect(decodeText(bytes, label)).toBe(text);
      expect(decodeText(bytes, label, true)).toBe(text);
    }
  });

  test("a byte order mark is removed, and a wrong or cut off byte is U+FFFD or an error", () => {
    expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), "utf-8")).toBe("a");
    for (const bytes of [
      [0x61, 0xff],
      [0x61, 0xc3],
    ]) {
      expect(decodeText(new Uint8Array(bytes), "utf-8")).toBe("a\ufffd");
      expect(() => decodeText(new Uint8Array(bytes), "utf-8", true)).toThrow(TypeError);
    }
    expect(() => decodeText(new Uint8Array(), "utf-7")).toThrow(RangeError);
  });
});

test("encodingOf names the encoding of a label, and undefined for an unknown label", () => {
  expect(["ISO-8859-1", "utf-16", "sjis", "UTF-7", ""].map(encodingOf)).toEqual([
    "windows-1252",
    "utf-16le",
    "shift_jis",
    undefined,
    undefined,
  ]);
});

test("utf8Chunks rewrites UTF-16 in chunks of any size, and passes on UTF-8 and what is shorter than two bytes", () => {
  const text = '{"a": "ä😀"}';
  const wide = Buffer.from(`\ufeff${text}`, "utf16le");
  const rewrite = (bytes: Uint8Array, size: number): string => {
    const chunks = utf8Chunks();
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(chunks.push(bytes.subarray(at, at + size)));
    return Buffer.concat([...parts, chunks.end()]).toString("utf8");
  };
  for (const size of [1, 2, 3, 5, 100]) {
    for (const bytes of [wide, Buffer.from(wide).swap16(), wide.subarray(2), Buffer.from(text)])
      expect(rewrite(bytes, size)).toBe(text);
    expect(rewrite(Buffer.from("["), size)).toBe("[");
    expect(rewrite(Buffer.from(""), size)).toBe("");
    expect(rewrite(wide.subarray(0, wide.length - 1), size)).toBe(`${text.slice(0, -1)}\ufffd`);
  }
});
