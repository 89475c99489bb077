/** Which queried logos are reported as plain shapes. The icons are of simple-icons (CC0). */

import sharp from "sharp";
import { describe, expect, test } from "vitest";
import icons from "../../../fixtures/brand/icons.json" with { type: "json" };
import { compileLogo } from "../../../src/engine/logo/find-logos.ts";
import { noteCodes } from "../../../src/errors.ts";
import { described, drawings, paint, png, solid } from "./drawings.ts";

const svg = (body: string) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">${body}</svg>`))
    .png()
    .toBuffer();
const polygon = (points: string, fill = "#22a") => `<polygon points="${points}" fill="${fill}"/>`;
const tile = (radius: number) => `<rect x="20" y="20" width="216" height="216" rx="${radius}" fill="#33e"/>`;
const letters = {
  E: "60,30 200,30 200,70 110,70 110,108 190,108 190,148 110,148 110,186 200,186 200,226 60,226",
  T: "40,30 216,30 216,72 150,72 150,226 106,226 106,72 40,72",
  H: "50,30 94,30 94,105 162,105 162,30 206,30 206,226 162,226 162,147 94,147 94,226 50,226",
};

const plain: Readonly<Record<string, string>> = {
  disc: '<circle cx="128" cy="128" r="110" fill="#e33"/>',
  "disc on a picture's own white":
    '<path fill="#fff" d="M0 0h256v256H0z"/><circle cx="128" cy="128" r="90" fill="#1af"/>',
  ellipse: '<ellipse cx="128" cy="128" rx="110" ry="80" fill="#e33"/>',
  ring: '<circle cx="128" cy="128" r="90" fill="none" stroke="#080" stroke-width="30"/>',
  square: tile(0),
  tile: tile(44),
  "soft tile": tile(80),
  ...Object.fromEntries(Object.entries(letters).map(([name, points]) => [`letter ${name}`, polygon(points)])),
};

async function notesOf(file: Uint8Array) {
  const compiled = await compileLogo(file);
  if (!compiled.ok) throw new Error(compiled.problems[0].message);
  return compiled.value.descriptor.notes;
}

describe("the notes of a queried logo", () => {
  test.each(Object.entries(plain))("report a plain %s", async (_, body) => {
    const notes = await notesOf(await svg(body));
    expect(notes).toMatchObject([{ code: noteCodes.plainLogo, message: expect.stringContaining("instead") }]);
  });

  test("report a picture of one color, and nothing of a scan", async () => {
    const file = await png(solid(20, 20, [9, 99, 9]));
    expect((await described(file, { role: "query" })).notes[0]!.message).toContain("one color");
    expect((await described(file, { role: "scan" })).notes).toEqual([]);
  });

  test("do not report logos with a form of their own", async () => {
    for (const { slug, hex, path } of icons) {
      const body = `<path transform="translate(20 20) scale(9)" fill="#${hex}" d="${path}"/>`;
      expect(await notesOf(await svg(body)), slug).toEqual([]);
    }
    for (const name of ["hooks", "wing", "stairs"])
      expect(await notesOf(await png(paint(drawings[name]!))), name).toEqual([]);
  });
});
