/**
 * Cleans an SVG: parses it strictly, keeps only the names of `allowed-names.ts`, and writes it again.
 *
 * The output is written element by element, so no other parser can find in it anything that ours did not. Scripts,
 * handlers, foreign content, external references, processing instructions, comments and document types are removed
 * (`docs/interface/images.md`, Variants: never resized, served sanitized).
 */

import { SaxesParser } from "saxes";
import { aString, aUint8Array, either, requireArgument } from "../../../core/arguments.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { sentence } from "../../../core/text/sentence.ts";
import { problem } from "../../../errors.ts";
import { type ImageLimits, resolveImageLimits } from "../limits.ts";
import { readEntities } from "./entities.ts";
import type { CleanSvg } from "./model.ts";
import { SvgRejection } from "./rejection.ts";
import { decodeXml } from "./source-text.ts";
import { createSvgWriter, type SvgWriter } from "./writer.ts";

/** Headers of an SVG's response, which forbid scripts also where a browser is less strict than the cleaner. */
export const svgHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  "x-content-type-options": "nosniff",
};

type SvgLimits = Pick<ImageLimits, "svgDepth" | "svgElements" | "svgEntityCharacters">;

/**
 * Cleans an SVG.
 *
 * @returns the clean SVG, or one problem with code 9422
 * @example
 * ```ts
 * const cleaned = cleanSvg('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script/><g id="a"/></svg>');
 * cleaned.ok && cleaned.value.svg; // => '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>'
 * ```
 */
export function cleanSvg(input: Uint8Array | string, options?: Partial<SvgLimits>): Result<CleanSvg> {
  requireArgument("input", input, either(aString, aUint8Array));
  const limits = resolveImageLimits(options);
  const writer = createSvgWriter(limits);
  try {
    parse(typeof input === "string" ? input : decodeXml(input), writer, limits);
    return success(writer.finish());
  } catch (error) {
    if (!(error instanceof SvgRejection)) throw error;
    return failure(problem(9422, sentence(error.message)));
  }
}

function parse(text: string, writer: SvgWriter, limits: SvgLimits): void {
  // Positions are not tracked: messages do not contain them. The output has no version and is XML 1.0, so the input is
  // read as XML 1.0 whatever it declares (XML 1.0, 2.8); XML 1.1 would allow control characters.
  const version = { defaultXMLVersion: "1.0", forceXMLVersion: true } as const;
  const parser = new SaxesParser({ xmlns: true, position: false, ...version });
  parser.on("doctype", (doctype) => defineEntities(parser.ENTITIES, doctype, limits));
  parser.on("opentag", writer.open);
  parser.on("closetag", writer.close);
  parser.on("text", writer.text);
  parser.on("cdata", writer.text);
  parser.on("error", (error) => {
    throw new SvgRejection(`the SVG is not well-formed: ${error.message.replace(/\.$/, "")}`);
  });
  parser.write(text).close();
}

/** Adds the document's own entities to the parser's table, and counts the characters that they add. */
function defineEntities(table: Record<string, string>, doctype: string, limits: SvgLimits): void {
  let added = 0;
  const count = (value: string) => {
    added += value.length;
    if (added <= limits.svgEntityCharacters) return value;
    throw new SvgRejection(`the SVG's entities must add at most ${limits.svgEntityCharacters} characters`);
  };
  for (const [name, value] of readEntities(doctype)) {
    // The five predefined entities of XML cannot be redefined.
    if (!(name in table)) Object.defineProperty(table, name, { get: () => count(value) });
  }
}
