/** Small images of every accepted type, made without a library: the files of random uploads. */
import { writePng } from "./drawing.ts";

/** Size in pixels, and the color at the top left, 0 to 255 a channel. */
export interface PictureSpec {
  readonly width: number;
  readonly height: number;
  readonly color: readonly [red: number, green: number, blue: number];
}

/** A PNG with a gradient from a color to black. */
export function pngPicture({ width, height, color }: PictureSpec): Uint8Array {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = 1 - (x + y) / (width + height);
      rows.set(
        color.map((share) => Math.round(share * light)),
        y * (1 + width * 3) + 1 + x * 3,
      );
    }
  }
  return writePng(width, height, rows);
}

/** Size of the color table of a GIF. */
const gifColors = 128;

/** The LZW codes that clear the code table and that end the image. */
const clearCode = gifColors;
const endCode = gifColors + 1;

/** After this number of pixels the codes would become longer than a byte. */
const pixelsPerClear = gifColors - 2;

/** Maximum length of a block of GIF data, in bytes. */
const maxBlock = 255;

/** A GIF (version 89a) of one frame or more; its codes are never longer than a byte, so nothing is compressed. */
export function gifPicture({ width, height, color }: PictureSpec, frames = 1): Uint8Array {
  const table = Array.from({ length: gifColors }, (_, i) =>
    color.map((share) => Math.round((share * i) / (gifColors - 1))),
  ).flat();
  const screen = [...u16(width), ...u16(height), 0xf6, 0, 0];
  const pictures = Array.from({ length: frames }, (_, n) => gifFrame(width, height, n * 7));
  return Buffer.concat([
    Buffer.from("GIF89a"),
    Buffer.from([...screen, ...table]),
    ...pictures,
    Buffer.from([0x3b]),
  ]);
}

function gifFrame(width: number, height: number, shift: number): Buffer {
  const codes: number[] = [];
  for (let i = 0; i < width * height; i++) {
    if (i % pixelsPerClear === 0) codes.push(clearCode);
    codes.push((i + shift) % gifColors);
  }
  codes.push(endCode);
  const blocks: number[] = [];
  for (let at = 0; at < codes.length; at += maxBlock) {
    const block = codes.slice(at, at + maxBlock);
    blocks.push(block.length, ...block);
  }
  const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
  const place = [0x2c, 0, 0, 0, 0, ...u16(width), ...u16(height), 0];
  return Buffer.from([...control, ...place, 7, ...blocks, 0]);
}

function u16(value: number): [number, number] {
  return [value & 0xff, value >> 8];
}

/** An SVG with a rectangle and a circle. */
export function svgPicture({ width, height, color }: PictureSpec): Uint8Array {
  const fill = `rgb(${color.join()})`;
  const shapes = `<rect width="100%" height="100%" fill="white"/><circle cx="50%" cy="50%" r="30%" fill="${fill}"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`,
  );
}

/** 24 x 16 pixels each, in the formats that need a library to write. */
export const encodedPictures = {
  jpeg: fromBase64(
    "/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/" +
      "2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAAR" +
      "CAAQABgDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABQAE/8QAFxAAAwEAAAAAAAAAAAAAAAAAAAMEYf/EABYBAQEB" +
      "AAAAAAAAAAAAAAAAAAMEBf/EABkRAAIDAQAAAAAAAAAAAAAAAAAEAQIhA//aAAwDAQACEQMRAD8ACXJhpXJgmuTDUuTBLsAL" +
      "tBi5MIcXJhE0sabXNrD/2Q==",
  ),
  webp: fromBase64(
    "UklGRl4AAABXRUJQVlA4IFIAAADQAwCdASoYABAAPu1orU2ppqSiMAgBMB2JbACdMoRwACm73iYzL4AA/uw9swHK2rdelZPr" +
      "n/62xePEScysZUAYvFgBWlVbsWdDflER1O4hQAAA",
  ),
  avif: fromBase64(
    "AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA" +
      "AAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAADQAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAA" +
      "AA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAABgAAAAQAAAAEHBpeGkAAAAA" +
      "AwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAA8bWRhdBIACgg4EO/tICGg0jImGsJi5OAAFDgArqjT1+pWrtwX/+BmYcIt" +
      "rbn40QLlYC///76EfoA=",
  ),
} as const;

function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}
