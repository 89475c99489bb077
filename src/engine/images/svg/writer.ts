/** Writes the parts of an SVG that may stay, while the parser reads it. */

import type { SaxesTagNS } from "saxes";
import { quote } from "../../../errors.ts";
import type { ImageLimits } from "../limits.ts";
import { svgElements } from "./allowed-names.ts";
import {
  type CleanAttribute,
  cleanAttributes,
  fragmentsOf,
  svgNamespace,
  xlinkNamespace,
} from "./attributes.ts";
import { cleanStyleSheet } from "./css.ts";
import { SvgRefusal } from "./rejection.ts";
import { readSvgSize } from "./size.ts";
import { createUseCounter, type UseCounter } from "./use-expansion.ts";

/** The parser's callbacks, and what came of them. */
export interface SvgWriter {
  readonly open: (tag: SaxesTagNS) => void;
  readonly close: () => void;
  readonly text: (text: string) => void;
  readonly finish: () => { svg: string; width: number; height: number };
}

type Limits = Pick<ImageLimits, "svgDepth" | "svgElements">;

interface State {
  readonly limits: Limits;
  readonly out: string[];
  /** Names of the open elements that are written. */
  readonly path: string[];
  readonly uses: UseCounter;
  /** Open elements of a part that is left out. */
  skipping: number;
  /** Elements seen, left out or not. */
  elements: number;
  /** Namespace of the root, which its elements share. */
  namespace: string;
  root: readonly CleanAttribute[];
  usesXlink: boolean;
  /** Text of the style sheet that is being read. */
  style: string | undefined;
  /** Whether the last start tag still lacks its end. */
  pending: boolean;
}

export function createSvgWriter(limits: Limits): SvgWriter {
  const state: State = {
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

function openElement(state: State, tag: SaxesTagNS): void {
  if (state.elements === 0) state.namespace = rootNamespace(tag);
  checkSize(state);
  const attributes = mayStay(state, tag)
    ? cleanAttributes(tag.local, Object.values(tag.attributes))
    : undefined;
  if (attributes) writeStart(state, tag.local, attributes);
  else state.skipping++;
}

function checkSize(state: State): void {
  const { svgElements: most, svgDepth: deepest } = state.limits;
  if (++state.elements > most) throw new SvgRefusal(`the SVG has more than ${most} elements`);
  if (state.path.length + state.skipping >= deepest) {
    throw new SvgRefusal(`the SVG nests elements more than ${deepest} deep`);
  }
}

/** Nothing stays inside what is left out, and a style sheet has no elements. */
function mayStay(state: State, tag: SaxesTagNS): boolean {
  const inside = state.skipping > 0 || state.style !== undefined;
  return !inside && tag.uri === state.namespace && svgElements.has(tag.local);
}

/** The root's start tag is written last: only then is it known which namespaces it must name. */
function writeStart(state: State, name: string, attributes: readonly CleanAttribute[]): void {
  endStartTag(state);
  const isRoot = state.path.length === 0;
  if (isRoot) state.root = attributes;
  state.out.push(isRoot ? "" : `<${name}${printAttributes(attributes)}`);
  state.pending = true;
  state.path.push(name);
  state.usesXlink ||= attributes.some(([attribute]) => attribute.startsWith("xlink:"));
  state.uses.open(attributeValue(attributes, "id"), name === "use" ? fragmentsOf(attributes) : []);
  if (name === "style") state.style = "";
}

function closeElement(state: State): void {
  if (state.skipping > 0) {
    state.skipping--;
    return;
  }
  if (state.style !== undefined) writeStyle(state, state.style);
  const name = state.path.pop()!;
  state.out.push(state.pending ? "/>" : `</${name}>`);
  state.pending = false;
  state.uses.close();
}

function writeStyle(state: State, style: string): void {
  state.style = undefined;
  addText(state, cleanStyleSheet(style));
}

function addText(state: State, text: string): void {
  if (state.skipping > 0 || state.path.length === 0 || text === "") return;
  if (state.style !== undefined) {
    state.style += text;
    return;
  }
  endStartTag(state);
  state.out.push(escapeText(text));
}

function endStartTag(state: State): void {
  if (state.pending) state.out.push(">");
  state.pending = false;
}

function finish({ uses, limits, out, usesXlink, root }: State): {
  svg: string;
  width: number;
  height: number;
} {
  if (uses.total() > limits.svgElements) {
    throw new SvgRefusal(`the SVG has more than ${limits.svgElements} elements once its uses are copied`);
  }
  const xlink = usesXlink ? ` xmlns:xlink="${xlinkNamespace}"` : "";
  out[0] = `<svg xmlns="${svgNamespace}"${xlink}${printAttributes(root)}`;
  return { svg: out.join(""), ...readSvgSize((name) => attributeValue(root, name)) };
}

/** The root must be an SVG's; one without any namespace is read as if it had the right one. */
function rootNamespace(tag: SaxesTagNS): string {
  const ours = tag.local === "svg" && (tag.uri === svgNamespace || tag.uri === "");
  if (!ours) throw new SvgRefusal(`the document's root is ${quote(tag.name)}, it must be \`svg\``);
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
  return text.replace(/[&<>\r]/g, (character) => escapes[character]!);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\n\r\t]/g, (character) => escapes[character]!);
}
