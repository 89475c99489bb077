/** Writes the allowed parts of an SVG while the parser reads it. */

import type { SaxesTagNS } from "saxes";
import { counted, quote } from "../../../errors.ts";
import type { ImageLimits } from "../limits.ts";
import { svgElements } from "./allowed-names.ts";
import {
  type CleanAttribute,
  cleanAttributes,
  fragmentsOf,
  paintReferencesOf,
  svgNamespace,
  xlinkNamespace,
} from "./attributes.ts";
import { cleanStyleSheet } from "./css.ts";
import type { CleanSvg } from "./model.ts";
import { SvgRejection } from "./rejection.ts";
import { readSvgSize } from "./size.ts";
import { styleRules } from "./style-references.ts";
import { createUseCounter, type UseCounter } from "./use-expansion.ts";

/** The parser's callbacks, and the clean SVG at the end. */
export interface SvgWriter {
  readonly open: (tag: SaxesTagNS) => void;
  readonly close: () => void;
  readonly text: (text: string) => void;
  /** @throws {SvgRejection} */
  readonly finish: () => CleanSvg;
}

type WriterLimits = Pick<ImageLimits, "svgDepth" | "svgElements">;

interface WriterState {
  readonly limits: WriterLimits;
  readonly out: string[];
  /** Names of the open elements in the output. */
  readonly path: string[];
  readonly uses: UseCounter;
  /** Number of open elements of a part that is removed. */
  skipping: number;
  /** Number of elements in the input. */
  elements: number;
  /** Namespace of the root; elements of others are removed. */
  namespace: string;
  root: readonly CleanAttribute[];
  usesXlink: boolean;
  /** Text of the style sheet that is open. */
  style: string | undefined;
  /** Whether the last start tag has no `>` yet. */
  pending: boolean;
}

export function createSvgWriter(limits: WriterLimits): SvgWriter {
  const state: WriterState = {
    limits,
    out: [],
    path: [],
    uses: createUseCounter(),
    skipping: 0,
    elements: 0,
    namespace: svgNamespace,
    root: [],
    usesXlink: false,
    style: undefined,
    pending: false,
  };
  return {
    open: (tag) => openElement(state, tag),
    close: () => closeElement(state),
    text: (text) => addText(state, text),
    finish: () => finish(state),
  };
}

function openElement(state: WriterState, tag: SaxesTagNS): void {
  if (state.elements === 0) state.namespace = rootNamespace(tag);
  checkSize(state);
  const attributes = isAllowed(state, tag)
    ? cleanAttributes(tag.local, Object.values(tag.attributes))
    : undefined;
  if (attributes) writeStart(state, tag.local, attributes);
  else state.skipping++;
}

function checkSize(state: WriterState): void {
  const { svgElements, svgDepth } = state.limits;
  state.elements++;
  if (state.elements > svgElements)
    throw new SvgRejection(`the SVG must have at most ${counted(svgElements, "element")}`);
  if (state.path.length + state.skipping >= svgDepth) {
    throw new SvgRejection(`the SVG must nest elements at most ${svgDepth} deep`);
  }
}

/** Everything inside a removed element is removed, and a style sheet has no elements. */
function isAllowed(state: WriterState, tag: SaxesTagNS): boolean {
  const inside = state.skipping > 0 || state.style !== undefined;
  return !inside && tag.uri === state.namespace && svgElements.has(tag.local);
}

/** Elements that draw a copy of the element that they reference. A pattern without content has that of another. */
const copying = new Set(["use", "feImage", "pattern"]);

/** The root's start tag is written last: only then is it known which namespaces it must declare. */
function writeStart(state: WriterState, name: string, attributes: readonly CleanAttribute[]): void {
  endStartTag(state);
  const isRoot = state.path.length === 0;
  if (isRoot) state.root = attributes;
  state.out.push(isRoot ? "" : `<${name}${printAttributes(attributes)}`);
  state.pending = true;
  state.path.push(name);
  state.usesXlink ||= attributes.some(([attribute]) => attribute.startsWith("xlink:"));
  state.uses.open({
    name,
    id: attributeValue(attributes, "id"),
    classes: (attributeValue(attributes, "class") ?? "").split(/\s+/).filter(Boolean),
    targets: copying.has(name) ? fragmentsOf(attributes) : [],
    paints: paintReferencesOf(attributes),
  });
  if (name === "style") state.style = "";
}

function closeElement(state: WriterState): void {
  if (state.skipping > 0) {
    state.skipping--;
    return;
  }
  if (state.style !== undefined) writeStyle(state, state.style);
  const name = state.path.pop();
  state.out.push(state.pending ? "/>" : `</${name}>`);
  state.pending = false;
  state.uses.close();
}

function writeStyle(state: WriterState, style: string): void {
  state.style = undefined;
  const clean = cleanStyleSheet(style);
  state.uses.style(styleRules(clean));
  addText(state, clean);
}

function addText(state: WriterState, text: string): void {
  if (state.skipping > 0 || state.path.length === 0 || text === "") return;
  if (state.style !== undefined) {
    state.style += text;
    return;
  }
  endStartTag(state);
  state.out.push(escapeText(text));
}

function endStartTag(state: WriterState): void {
  if (state.pending) state.out.push(">");
  state.pending = false;
}

function finish({ uses, limits, out, usesXlink, root }: WriterState): CleanSvg {
  const total = uses.total(limits.svgElements);
  if (total === "cycle")
    throw new SvgRejection("the SVG must not be cyclic; found an element that is drawn inside itself");
  if (total > limits.svgElements) {
    throw new SvgRejection(
      `the SVG must have at most ${counted(limits.svgElements, "element")}, every reference expanded`,
    );
  }
  const xlink = usesXlink ? ` xmlns:xlink="${xlinkNamespace}"` : "";
  out[0] = `<svg xmlns="${svgNamespace}"${xlink}${printAttributes(root)}`;
  return { svg: out.join(""), ...readSvgSize((name) => attributeValue(root, name)) };
}

/** The root must be `svg`; one without a namespace is read as if it had the right one. */
function rootNamespace(tag: SaxesTagNS): string {
  const isSvg = tag.local === "svg" && (tag.uri === svgNamespace || tag.uri === "");
  if (!isSvg) throw new SvgRejection(`the SVG's root must be \`svg\`; found ${quote(tag.name)}`);
  return tag.uri;
}

function attributeValue(attributes: readonly CleanAttribute[], name: string): string | undefined {
  return attributes.find((attribute) => attribute[0] === name)?.[1];
}

function printAttributes(attributes: readonly CleanAttribute[]): string {
  return attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => escapes[character] ?? character);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\n\r\t]/g, (character) => escapes[character] ?? character);
}
