/** Stored pictures for lookbacks: many records of few pictures, of which some show the logo. */
import { createHash } from "node:crypto";
import { decodeLogo } from "../../../../src/engine/logo/decode/decode.ts";
import type { Raster } from "../../../../src/engine/logo/decode/picture.ts";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import type { Store } from "../../../../src/store/port.ts";
import { descriptorKey, type LogoScanRecord } from "../../../../src/store/records/brand.ts";
import { place, wordsPage } from "../../../engine/logo/dense/scenes.ts";
import { drawings, image, paint } from "../../../engine/logo/drawings.ts";

/** A picture file, and what is computed of it. */
export interface Picture {
  readonly file: Uint8Array;
  readonly raster: Raster;
  readonly descriptor: Uint8Array;
}

/** The logo, as a file. */
export const logoFile = (): Promise<Uint8Array> => png(paint(drawings["hooks"]!, { side: 64 }));

const png = (raster: Raster) => image(raster).png().toBuffer();

/** Thirteen pictures: pages of words, of which two show the logo, small drawings, and the logo at half its size. */
export async function drawnPictures(): Promise<readonly Picture[]> {
  const names = ["wing", "stairs", "hooks"];
  const small = names.map((name) => paint(drawings[name]!, { side: 32 }));
  const other = (name: string, x: number) =>
    place(wordsPage(240, 160), drawings[name]!, x, 90, 34, [190, 30, 60]);
  const shown = [60, 180].map((x) => other("hooks", x));
  const words = [200, 220, 240, 260].map((width) => wordsPage(width, 160));
  const pages = [
    ...words,
    ...["wing", "stairs", "wing", "stairs"].map((name, i) => other(name, 30 + 40 * i)),
  ];
  return Promise.all([...shown, ...pages, ...small].map(pictureOf));
}

async function pictureOf(raster: Raster): Promise<Picture> {
  const file = await png(raster);
  const decoded = await decodeLogo(file, "scan");
  if (!decoded.ok) throw new Error(decoded.problems[0].message);
  return { file, raster: decoded.value, descriptor: describeRaster(decoded.value).bytes };
}

/** The number of the picture at a position. */
export function pictureAt(position: number, pictures: number): number {
  return (position * position + 3 * position) % pictures;
}

/** Stores pictures at the positions from 1. */
export async function storeScans(
  store: Store,
  scope: string,
  pictures: readonly Picture[],
  count: number,
): Promise<void> {
  for (const [i, { file, descriptor }] of pictures.entries()) {
    await store.blobs.put(`generated/${i}`, file);
    await store.blobs.put(descriptorKey(`generated/${i}`, "scan"), descriptor);
  }
  await store.write(async (tx) => {
    const first = await tx.sequence(scope, "brand_logo_scans", count);
    await tx.insertMissing(
      "brand_logo_scans",
      Array.from({ length: count }, (_, i) => scanOf(scope, first + i, pictures.length)),
    );
  });
}

function scanOf(scope: string, position: number, pictures: number): LogoScanRecord {
  const id = createHash("sha256").update(String(position)).digest("hex");
  const blob = `generated/${pictureAt(position, pictures)}`;
  const facts = { domain: `d${position}.example`, registrar: "", url_scan_id: "", matched_at: 0 };
  return { scope, id, position, blob, content_type: "image/png", ...facts };
}
