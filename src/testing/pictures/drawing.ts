/** Images drawn from formulas and written as PNG (ISO/IEC 15948), for the demo and for random input. */
import { crc32, deflateSync } from "node:zlib";

type Color = readonly [red: number, green: number, blue: number];

/** Whether a point is foreground; both coordinates are 0 to 1. */
export type Drawing = (x: number, y: number) => boolean;

/** How a drawing is rendered. */
export interface DrawingOptions {
  /** Side of the image, in pixels. */
  readonly side?: number;
  /** Empty space on each side, as a fraction of the image. */
  readonly margin?: number;
  readonly foreground?: Color;
  readonly background?: Color;
  /** Degrees, clockwise. */
  readonly rotation?: number;
}

const defaults = {
  side: 128,
  margin: 0.1,
  foreground: [20, 60, 160],
  background: [255, 255, 255],
  rotation: 0,
} as const;

/** Samples along each side of a pixel, for smooth edges. */
const samples = 3;

/** A drawing as a PNG file. */
export function drawPng(drawing: Drawing, options: DrawingOptions = {}): Uint8Array {
  const { side, margin, foreground, background, rotation } = { ...defaults, ...options };
  const angle = (rotation * Math.PI) / 180;
  const isForeground = (px: number, py: number): boolean => {
    const [u, v] = [px / side - 0.5, py / side - 0.5];
    const x = (u * Math.cos(angle) + v * Math.sin(angle)) / (1 - 2 * margin) + 0.5;
    const y = (v * Math.cos(angle) - u * Math.sin(angle)) / (1 - 2 * margin) + 0.5;
    return x >= 0 && y >= 0 && x <= 1 && y <= 1 && drawing(x, y);
  };
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let py = 0; py < side; py++) {
    for (let px = 0; px < side; px++) {
      const share = foregroundShare(isForeground, px, py);
      const at = py * (1 + side * 3) + 1 + px * 3;
      rows.set(
        background.map((value, channel) =>
          Math.round(value + ((foreground[channel] ?? value) - value) * share),
        ),
        at,
      );
    }
  }
  return writePng(side, side, rows);
}

function foregroundShare(isForeground: (x: number, y: number) => boolean, px: number, py: number): number {
  let hits = 0;
  for (let j = 0; j < samples; j++) {
    for (let i = 0; i < samples; i++)
      if (isForeground(px + (i + 0.5) / samples, py + (j + 0.5) / samples)) hits++;
  }
  return hits / samples ** 2;
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
