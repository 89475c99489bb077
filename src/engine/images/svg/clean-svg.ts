/**
 * Cleans an SVG: parses it strictly, keeps what the lists of `allowed-names.ts` name, and writes it anew.
 *
 * What comes out was written here, element by element: no reader can see in it what the parser did not. Scripts,
 * handlers, foreign content, external references, processing instructions, comments and document types do not come
 * through (`images.md`: never resized, served sanitised).
 */

import { SaxesParser } from "saxes";
import { type ImageLimits, withDefaults } from "../limits.ts";
import { readEntities } from "./entities.ts";
import { SvgRefusal } from "./rejection.ts";
import { decodeXml } from "./source-text.ts";
import { createSvgWriter, type SvgWriter } from "./writer.ts";

/** A clean SVG, or why there is none (one sentence without its full stop). */
export type CleanedSvg =
  | { readonly ok: true; readonly svg: string; readonly width: number; readonly height: number }
  | { readonly ok: false; readonly reason: string };

/** Headers that an SVG is served with, so that nothing runs even where a reader is more generous than the cleaner. */
export const svgHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  "x-content-type-options": "nosniff",
};

type SvgLimits = Pick<ImageLimits, "svgDepth" | "svgElements" | "svgEntityCharacters">;

/**
 * Cleans an SVG.
 *
 * @example
 * ```ts
 * const cleaned = cleanSvg('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script/><g id="a"/></svg>');
 * cleaned.ok && cleaned.svg; // => '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>'
 * ```
 */
export function cleanSvg(input: Uint8Array | string, limits?: Partial<SvgLimits>): CleanedSvg {
  const text = typeof input === "string" ? input : decodeXml(input);
  if (text === undefined) return { ok: false, reason: "the SVG is neither UTF-8 nor marked UTF-16" };
  const writer = createSvgWriter(withDefaults(limits));
  try {
    parse(text, writer, withDefaults(limits));
    return { ok: true, ...writer.finish() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function parse(text: string, writer: SvgWriter, limits: SvgLimits): void {
  // Messages name what is wrong, not where: positions are not tracked. What is written says no version, and is XML 1.0:
  // so it is read, whatever it says (XML 1.0, 2.8); XML 1.1 would let control characters through.
  const version = { defaultXMLVersion: "1.0", forceXMLVersion: true } as const;
  const parser = new SaxesParser({ xmlns: true, position: false, ...version });
  parser.on("doctype", (doctype) => defineEntities(parser.ENTITIES, doctype, limits));
  parser.on("opentag", writer.open);
  parser.on("closetag", writer.close);
  parser.on("text", writer.text);
  parser.on("cdata", writer.text);
  parser.on("error", (error) => {
    throw new SvgRefusal(`the SVG is not well-formed: ${error.message.replace(/\.$/, "")}`);
  });
  parser.write(text).close();
}

/** Gives the parser the document's own entities, and counts what they add. */
function defineEntities(table: Record<string, string>, doctype: string, limits: SvgLimits): void {
  const entities = readEntities(doctype);
  if (typeof entities === "string") throw new SvgRefusal(`the SVG is refused: ${entities}`);
  let added = 0;
  const take = (value: string) => {
    added += value.length;
    if (added <= limits.svgEntityCharacters) return value;
    throw new SvgRefusal(`the SVG's entities add more than ${limits.svgEntityCharacters} characters`);
  };
  for (const [name, value] of entities) {
    // The five names of XML itself cannot be given another meaning.
    if (!(name in table)) Object.defineProperty(table, name, { get: () => take(value) });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof SvgRefusal) return error.message;
  throw error;
}
