/** Images in HTML pages that need no network. */
import { contentTypes, sniffImage } from "../../engine/images/sniff.ts";
import { escapeHtml } from "./html.ts";

/** An element with the bytes of an image in its address. */
export function printImage(bytes: Uint8Array, alternative: string): string {
  const sniffed = sniffImage(bytes);
  const type = sniffed.kind === "image" ? contentTypes[sniffed.type] : "application/octet-stream";
  const source = `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
  return `<img src="${source}" alt="${escapeHtml(alternative)}">`;
}
