/** Pictures drawn from formulas and written as PNG (ISO/IEC 15948), for the demo and for random input. */
import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

/** Whether a place is inked; both coordinates go from 0 to 1. */
export type Drawing = (x: number, y: number) => boolean;

/** How a drawing is shown. */
export interface Look {
  /** Pixels of a side. */
  readonly side?: number;
  /** Empty space on each side, as a share of the picture. */
  readonly margin?: number;
  readonly ink?: Colour;
  readonly ground?: Colour;
  /** Degrees. */
  readonly turned?: number;
}

const plain = { side: 128, margin: 0.1, ink: [20, 60, 160], ground: [255, 255, 255], turned: 0 } as const;

/** Probes along each side of a pixel, so that edges are smooth. */
const probes = 3;

/** A drawing as a PNG file. */
export function drawPng(drawing: Drawing, look: Look = {}): Uint8Array {
  const { side, margin, ink, ground, turned } = { ...plain, ...look };
  const angle = (turned * Math.PI) / 180;
  const isInked = (px: number, py: number): boolean => {
    const [u, v] = [px / side - 0.5, py / side - 0.5];
    const x = (u * Math.cos(angle) + v * Math.sin(angle)) / (1 - 2 * margin) + 0.5;
    const y = (v * Math.cos(angle) - u * Math.sin(angle)) / (1 - 2 * margin) + 0.5;
    return x >= 0 && y >= 0 && x <= 1 && y <= 1 && drawing(x, y);
  };
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let py = 0; py < side; py++) {
    for (let px = 0; px < side; px++) {
      const share = inkedShare(isInked, px, py);
      const at = py * (1 + side * 3) + 1 + px * 3;
      rows.set(
        ground.map((g, c) => Math.round(g + (ink[c]! - g) * share)),
        at,
      );
    }
  }
  return writePng(side, side, rows);
}

function inkedShare(isInked: (x: number, y: number) => boolean, px: number, py: number): number {
  let hits = 0;
  for (let j = 0; j < probes; j++) {
    for (let i = 0; i < probes; i++) if (isInked(px + (i + 0.5) / probes, py + (j + 0.5) / probes)) hits++;
  }
  return hits / probes ** 2;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of red, green and blue. @param rows each with its filter byte, 0, before it */
export function writePng(width: number, height: number, rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a sample, red, green and blue.
  header.set([8, 2], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
