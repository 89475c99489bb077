/** Pictures as they come in: base64 or bytes, untrusted, described by the engine. */

import { contentTypes, sniffImage } from "../../../engine/images/sniff.ts";
import { describeLogo } from "../../../engine/logo/describe.ts";
import type { LogoDescriptor, LogoRole } from "../../../engine/logo/descriptor.ts";
import type { Limits } from "../../limits.ts";

/** A picture that was decoded and described. */
export interface Picture {
  readonly bytes: Uint8Array;
  /** By its bytes, whatever a data URI says. */
  readonly contentType: string;
  readonly descriptor: LogoDescriptor;
}

/** What came out of reading, or one sentence on what is wrong. */
export type Read<T> = { readonly value: T } | { readonly fault: string };

/** Queries are PNG or JPEG (`observed`); scans what browsers show. */
const types: Readonly<Record<LogoRole, readonly string[]>> = {
  query: ["png", "jpeg"],
  scan: ["png", "jpeg", "webp", "gif", "avif"],
};

const dataUri = /^\s*data:[^,]{0,200};base64,/i;
const base64 = /^([A-Za-z0-9+/]*)={0,2}$/;

/** The bytes of a base64 text, with a data URI's beginning or without; blanks and line ends are skipped. */
export function readBase64(text: string, maxBytes: number): Read<Uint8Array> {
  const start = dataUri.exec(text)?.[0].length ?? 0;
  const digits = text.slice(start).replace(/\s+/g, "");
  if (!isBase64(digits)) return { fault: "The image is not base64; a data URI may stand before it." };
  // Before anything is decoded: four digits are three bytes.
  if ((digits.length / 4) * 3 - 2 > maxBytes) return { fault: tooLarge(maxBytes) };
  return { value: Buffer.from(digits, "base64") };
}

/** RFC 4648, section 4: four digits are three bytes; one digit behind them is none. */
function isBase64(text: string): boolean {
  const digits = base64.exec(text)?.[1];
  return digits !== undefined && digits.length % 4 !== 1;
}

function tooLarge(maxBytes: number): string {
  return `The image is larger than the ${maxBytes} bytes that are allowed.`;
}

/** What can be said of a picture without decoding it. */
export function checkPicture(bytes: Uint8Array, role: LogoRole, limits: Limits): Read<string> {
  if (bytes.length === 0) return { fault: "The image is empty; it must be an image file." };
  if (bytes.length > limits.logoBytes) return { fault: tooLarge(limits.logoBytes) };
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "image" && types[role].includes(sniffed.type)) {
    return { value: contentTypes[sniffed.type] };
  }
  const found = {
    image: "type" in sniffed ? sniffed.type : "",
    rejected: "name" in sniffed ? sniffed.name : "",
    unknown: "no known format",
  };
  const allowed = role === "query" ? "PNG or JPEG" : "PNG, JPEG, WebP, GIF or AVIF";
  return { fault: `The image is ${found[sniffed.kind]}; it must be ${allowed}.` };
}

/** Decodes and describes a picture. */
export async function readPicture(bytes: Uint8Array, role: LogoRole, limits: Limits): Promise<Read<Picture>> {
  const type = checkPicture(bytes, role, limits);
  if ("fault" in type) return type;
  const bounds = { maxBytes: limits.logoBytes, maxPixels: limits.logoPixels };
  const outcome = await describeLogo(bytes, { role, ...bounds });
  if (!outcome.ok) return { fault: outcome.problems[0].message };
  return { value: { bytes, contentType: type.value, descriptor: outcome.value } };
}
