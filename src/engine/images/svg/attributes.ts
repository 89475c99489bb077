/** Cleans an element's attributes: names by the allow-lists, values by whether they can load anything (`css.ts`). */

import { isAnimatable, isSvgAttribute, svgAnimations } from "./allowed-names.ts";
import { cleanDeclarations, isSafeValue, safeValue } from "./css.ts";
import { declaredPaints, type PaintReference, paintsOf } from "./style-references.ts";
import { withDecoded } from "./url-fragments.ts";

export const svgNamespace = "http://www.w3.org/2000/svg";
export const xlinkNamespace = "http://www.w3.org/1999/xlink";
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** An attribute as the parser returns it. */
export interface ParsedAttribute {
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

/** An attribute as it is written. */
export type CleanAttribute = readonly [name: string, value: string];

/** Attributes of an animation that hold values of the animated attribute. */
const animationValues = new Set(["from", "to", "by", "values"]);
/** Elements whose reference may be a raster image inside the file. */
const imageElements = new Set(["image", "feImage"]);
const rasterData = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/i;
const fragment = /^#[^\s"'<>()\\]*$/;

/** The allowed attributes of an element, in their order; undefined when the element itself is not allowed. */
export function cleanAttributes(
  element: string,
  attributes: readonly ParsedAttribute[],
): CleanAttribute[] | undefined {
  if (svgAnimations.has(element) && !animatesSafely(attributes)) return undefined;
  const clean: CleanAttribute[] = [];
  for (const attribute of attributes) {
    const kept = cleanAttribute(element, attribute);
    if (kept) clean.push(kept);
  }
  // Of two references the one without a namespace counts (SVG 2, 14.5).
  const hasHref = clean.some(([name]) => name === "href");
  return hasHref ? clean.filter(([name]) => name !== "xlink:href") : clean;
}

/** The ids that a reference into the file may mean: as written and, where that differs, decoded. */
export function fragmentsOf(attributes: readonly CleanAttribute[]): string[] {
  const href = attributes.find(([name]) => name === "href" || name === "xlink:href")?.[1];
  if (!href?.startsWith("#")) return [];
  const written = href.slice(1);
  return withDecoded(written);
}

/** Attributes that paint with another element, by a reference in their value; `to` and the like set such an attribute. */
const paintedBy = new Set(
  "fill stroke marker marker-start marker-mid marker-end mask clip-path filter to from by values".split(" "),
);

/** The elements that an element is painted with, in the order of its attributes. */
export function paintReferencesOf(attributes: readonly CleanAttribute[]): PaintReference[] {
  return attributes.flatMap(([name, value]) => {
    if (name === "style") return declaredPaints(value);
    return paintedBy.has(name) ? paintsOf(name, value) : [];
  });
}

function cleanAttribute(element: string, { local, uri, value }: ParsedAttribute): CleanAttribute | undefined {
  if (local === "href" && (uri === "" || uri === xlinkNamespace)) {
    const clean = cleanReference(element, value.trim());
    return clean === undefined ? undefined : [uri === "" ? "href" : "xlink:href", clean];
  }
  if (uri === xmlNamespace) {
    return local === "space" || local === "lang" ? cleanWord(`xml:${local}`, value) : undefined;
  }
  if (uri !== "" || !isSvgAttribute(local)) return undefined;
  if (local === "style") return nonEmpty("style", cleanDeclarations(value));
  // These may contain characters that other values may not: they cannot load or run anything.
  if (local === "id" || local === "class" || local.startsWith("aria-")) return [local, value];
  const safe = safeValue(local, value);
  return safe === undefined ? undefined : [local, safe];
}

function cleanReference(element: string, value: string): string | undefined {
  if (fragment.test(value)) return value;
  return imageElements.has(element) && rasterData.test(value) ? value : undefined;
}

function cleanWord(name: string, value: string): CleanAttribute | undefined {
  return /^[\w-]*$/.test(value) ? [name, value] : undefined;
}

function nonEmpty(name: string, value: string): CleanAttribute | undefined {
  return value === "" ? undefined : [name, value];
}

/** Whether an animation changes only an allowed attribute, to safe values. */
function animatesSafely(attributes: readonly ParsedAttribute[]): boolean {
  const target = attributes.find(({ local, uri }) => uri === "" && local === "attributeName");
  if (target && !isAnimatable(target.value.trim())) return false;
  return attributes.every(({ local, value }) => !animationValues.has(local) || isSafeValue(value));
}
