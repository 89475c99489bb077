import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { copyrightExif, exifOrientation, insertExif, uprightExif } from "../../../src/engine/picture/exif.ts";
import { runs } from "../../support/runs.ts";
import { exifBlock, orientationEntry, plain, textEntry } from "../images/pictures.ts";

const copyright = 0x8298;

describe("EXIF", () => {
  test("copyrightExif keeps the bytes of the copyright tag only, in both byte orders", () => {
    for (const little of [true, false]) {
      for (const text of ["©", "© 2026 Zoë Müller ✓ 写真", "abc", ""]) {
        const block = exifBlock(
          [textEntry(0x010f, "Maker"), orientationEntry(6, little), textEntry(copyright, text)],
          little,
        );
        const kept = copyrightExif(block);
        expect(kept).toBeDefined();
        const alone = exifBlock([textEntry(copyright, text)], little);
        // A value of odd length is padded to an even one.
        expect(Buffer.from(kept!).subarray(0, alone.length)).toEqual(alone);
        expect(kept!.length - alone.length).toBeLessThanOrEqual(1);
      }
    }
  });

  test("copyrightExif keeps any bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.constantFrom(1, 2, 7, 129),
        (value, type) => {
          const kept = copyrightExif(exifBlock([{ tag: copyright, type, count: value.length, value }]));
          const found =
            value.length <= 4 ? kept!.subarray(18, 18 + value.length) : kept!.subarray(26, 26 + value.length);
          expect(Buffer.from(found)).toEqual(Buffer.from(value));
        },
      ),
    );
  });

  test("copyrightExif returns undefined without the tag, for another type, and for a value outside the block", () => {
    const value = Buffer.from("text text");
    expect(copyrightExif(exifBlock([textEntry(0x010f, "Maker")]))).toBeUndefined();
    expect(copyrightExif(exifBlock([{ tag: copyright, type: 3, count: 2, value }]))).toBeUndefined();
    expect(
      copyrightExif(exifBlock([{ tag: copyright, type: 2, count: 4_000_000_000, value }])),
    ).toBeUndefined();
    expect(
      copyrightExif(exifBlock([{ tag: copyright, type: 2, count: 0, value: Buffer.alloc(0) }])),
    ).toBeUndefined();
  });

  test("uprightExif changes only the orientation", () => {
    for (const little of [true, false]) {
      const tags = (orientation: number) =>
        exifBlock(
          [textEntry(0x010f, "Maker"), orientationEntry(orientation, little), textEntry(copyright, "©")],
          little,
        );
      expect(Buffer.from(uprightExif(tags(6))!)).toEqual(tags(1));
    }
    const given = exifBlock([orientationEntry(6)]);
    uprightExif(given);
    expect(given).toEqual(exifBlock([orientationEntry(6)]));
    const none = exifBlock([textEntry(0x010f, "Maker")]);
    expect(Buffer.from(uprightExif(none)!)).toEqual(none);
    expect(uprightExif(Buffer.from("no tiff"))).toBeUndefined();
  });

  test("insertExif inserts a block that decoders read", async () => {
    const jpeg = await plain(9, 7).jpeg().toBuffer();
    const block = exifBlock([textEntry(copyright, "© Zoë")]);
    const found = (await sharp(insertExif(jpeg, block)).metadata()).exif;
    expect(found).toEqual(Buffer.concat([Buffer.from("Exif\0\0"), block]));
    expect(insertExif(jpeg, Buffer.alloc(65_536))).toBe(jpeg);
  });

  test("no function throws for any bytes", () => {
    const block = exifBlock([orientationEntry(6), textEntry(copyright, "© Zoë")]);
    const edits = fc.array(fc.tuple(fc.nat(block.length - 1), fc.nat(255)), { maxLength: 6 });
    fc.assert(
      fc.property(edits, fc.nat(block.length), (changes, length) => {
        const changed = Buffer.from(block);
        for (const [at, value] of changes) changed[at] = value;
        const bytes = changed.subarray(0, length);
        for (const read of [exifOrientation, copyrightExif, uprightExif])
          expect(() => read(bytes)).not.toThrow();
      }),
      { numRuns: runs(2_000) },
    );
  });
});
