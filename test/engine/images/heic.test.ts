/** HEIC: its header is read and its pixels are not decoded. Sizes are those that another reader, heif-info 1.15, prints. */
import { renderBase, renderVariant, sniffImage, transformPicture, validateImage } from "edgeproof/images";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageLimits } from "../../../src/engine/images/limits.ts";
import { openImage } from "../../../src/engine/images/open-image.ts";
import { readHeifItems } from "../../../src/engine/picture/heif-items.ts";
import { runs } from "../../support/runs.ts";
import { box } from "./containers/avif-files.ts";
import { codedHevc, heicFiles, heicSequences, readHeic, writeHeic } from "./containers/heic-files.ts";

const accepted = { heic: "accept" } as const;

async function codeOf(bytes: Uint8Array, options = {}): Promise<number | undefined> {
  const validated = await validateImage(bytes, { ...accepted, ...options });
  return validated.ok ? undefined : validated.problems[0].code;
}

describe("an upload", () => {
  test("has the size of the primary picture as displayed", async () => {
    for (const [name, { bytes, width, height }] of Object.entries(await heicFiles())) {
      const validated = await validateImage(bytes, accepted);
      const value = { type: "heic", contentType: "image/heic", width, height, frames: 1 };
      expect([name, validated]).toEqual([name, { ok: true, value }]);
    }
  });

  test("is rejected by its name without the option", async () => {
    const validated = await validateImage(await readHeic("grid-alpha"));
    expect(validated.ok || [validated.problems[0].code, validated.problems[0].message]).toEqual([
      5455,
      "The image must be PNG, JPEG, GIF, WebP, AVIF or SVG; found HEIC.",
    ]);
  });

  test("keeps the limits of bytes, of pixels, and of sides, which AVIF is exempt from", async () => {
    const bytes = await readHeic("grid-alpha");
    expect(await codeOf(bytes, { uploadBytes: bytes.length - 1 })).toBe(5413);
    expect(await codeOf(bytes, { inputPixels: 61 * 45 })).toBeUndefined();
    expect(await codeOf(bytes, { inputPixels: 61 * 45 - 1 })).toBe(5413);
    expect(await codeOf(bytes, { inputSide: 60 })).toBe(5413);
    const coded = await codedHevc();
    const wide = writeHeic({ items: [{ id: 1, width: 0xffffffff, height: 0xffffffff, coded }] });
    expect(await codeOf(wide)).toBe(5413);
  });

  test("is a still image: sequences are rejected by their name", async () => {
    for (const bytes of await heicSequences())
      expect(sniffImage(bytes)).toEqual({ kind: "rejected", name: "a HEIC image sequence" });
  });

  test("of a container for any coding is HEIC when its picture is coded with HEVC", async () => {
    const coded = await codedHevc();
    const file = (coding: string) =>
      writeHeic({
        items: [{ id: 1, width: 64, height: 64, coded: { ...coded, coding } }],
        brand: "mif1",
        compatible: ["mif1"],
      });
    expect(sniffImage(file("hvc1"))).toEqual({ kind: "image", type: "heic" });
    expect(sniffImage(file("jpeg"))).toEqual({ kind: "rejected", name: "HEIF" });
    expect(sniffImage(file("hvc1").subarray(0, 60))).toEqual({ kind: "rejected", name: "HEIF" });
  });

  test.each([
    ["a size of 0", { width: 0 }],
    ["a part that is larger than the picture", { part: { width: 65, height: 10 } }],
    ["a part of no pixels", { part: { width: 0, height: 10 } }],
  ])("is undecodable with %s", async (_, change) => {
    const coded = await codedHevc();
    expect(await codeOf(writeHeic({ items: [{ id: 1, width: 64, height: 64, coded, ...change }] }))).toBe(
      9422,
    );
  });
});

describe("a rendition", () => {
  test("is rejected with 9520, which says why and what to do", async () => {
    const bytes = await readHeic("exif");
    const rendered = await renderVariant(bytes, { width: 20 });
    expect(rendered.ok || [rendered.problems[0].code, rendered.problems[0].message]).toEqual([
      9520,
      "The image is HEIC, whose pixels are not decoded here; convert it to PNG, JPEG, GIF, WebP, AVIF or SVG to render it.",
    ]);
    const transformed = await transformPicture(bytes, "w=20,f=json");
    expect(transformed.ok || transformed.problems[0].code).toBe(9520);
    for (const place of ["delivery", "address", "binding", "draw"] as const) {
      const opened = await openImage(bytes, place, imageLimits);
      expect(opened.ok || opened.problems[0].code).toBe(9520);
    }
  });

  test("that is the base image has the original's bytes, however large it is", async () => {
    const bytes = await readHeic("exif");
    const base = await renderBase(bytes, { baseBytes: 10 });
    expect(base.ok && [base.value.contentType, base.value.bytes, base.value.width]).toEqual([
      "image/heic",
      bytes,
      64,
    ]);
  });
});

describe("hostile boxes", () => {
  test("never throw and never have a size beyond the limits", async () => {
    const files = Object.values(await heicFiles());
    const edit = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 4, 8, 64, 127, 128, 255), fc.boolean());
    const counts = { accepted: 0, rejected: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        async (file, edits) => {
          let bytes = Buffer.from(file.bytes);
          const end = bytes.indexOf("mdat") > 0 ? bytes.indexOf("mdat") : bytes.length;
          for (const [at, value, doubles] of edits) {
            const place = at % end;
            // A byte that is inserted moves everything behind it.
            if (doubles && at % 7 === 0)
              bytes = Buffer.concat([bytes.subarray(0, place), Buffer.of(value), bytes.subarray(place)]);
            else bytes[place] = value;
          }
          const validated = await validateImage(bytes, accepted);
          if (!validated.ok) {
            counts.rejected++;
            expect([5413, 5415, 5455, 9422]).toContain(validated.problems[0].code);
            return;
          }
          counts.accepted++;
          const { width, height } = validated.value;
          expect(Math.min(width, height)).toBeGreaterThan(0);
          expect(Math.max(width, height)).toBeLessThanOrEqual(12_000);
        },
      ),
      { numRuns: runs(20_000, 2_000) },
    );
    expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(0);
  });

  test("of extents without fields are rejected at once, whatever their number is", () => {
    const location = Buffer.from([0, 1, 0, 0, 0, 0, 0xff, 0xff]);
    const count = 60_000;
    const full = (type: string, version: number, ...parts: Buffer[]) =>
      box(type, Buffer.of(version, 0, 0, 0), ...parts);
    const locations = Buffer.concat(Array.from({ length: count }, () => location));
    const iloc = full("iloc", 1, Buffer.of(0, 0, count >> 8, count & 255), locations);
    const file = Buffer.concat([
      box("ftyp", Buffer.from("heic\0\0\0\0mif1heic")),
      full("meta", 0, full("pitm", 0, Buffer.of(0, 1)), iloc),
    ]);
    const start = performance.now();
    expect(() => readHeifItems(file)).toThrow(RangeError);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
