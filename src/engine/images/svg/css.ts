/**
 * Cleans the styles of an SVG: properties by name, values by their functions, `url()` only with a fragment.
 *
 * CSS has escapes, comments and nesting that can hide a meaning. Comments are removed first; a value with a backslash,
 * an `@` or a `<` is removed as a whole; rules are read by balanced braces.
 */

import { cssFunctions, svgProperties } from "./allowed-names.ts";

/** Allowed rules that contain other rules. `@import`, `@font-face` and others load things. */
const groupRules = new Set(["@media", "@supports", "@keyframes", "@-webkit-keyframes"]);
/** Maximum nesting of rules (chosen). */
const maxDepth = 4;
/** Maximum length of a function name, in characters; longer than every name of the list (chosen). */
const maxNameLength = 64;

/** Whether a value of a property or an attribute can neither load nor run anything. */
export function isSafeValue(value: string): boolean {
  // Fast path: most values are only numbers and words.
  if (/^[\w\s.,#%+-]*$/.test(value)) return true;
  if (/[\\@<>{}]|\/\*|javascript:|-moz-binding/i.test(value) || hasControlCharacter(value)) return false;
  return hasClosedStrings(value) && hasOnlyKnownFunctions(value) && hasOnlyFragmentUrls(value);
}

/** Properties whose default is a color: without their value the shape would be painted with it. */
const paints = new Set(["fill", "stroke"]);

/**
 * The value when it is safe. An unsafe function as a paint, such as `url()` of another file, becomes `none`, as browsers
 * paint a reference to nothing; other unsafe values are undefined.
 */
export function safeValue(property: string, value: string): string | undefined {
  if (isSafeValue(value)) return value;
  return paints.has(property) && value.includes("(") ? "none" : undefined;
}

/** Whether every string is closed on its own line, so that every CSS parser sees the same strings. */
function hasClosedStrings(value: string): boolean {
  return !/["']/.test(value.replace(/"[^"\n\r]*"|'[^'\n\r]*'/g, ""));
}

/** Whether every name before a parenthesis is an allowed function; `url` is checked separately. */
function hasOnlyKnownFunctions(value: string): boolean {
  for (let at = value.indexOf("("); at >= 0; at = value.indexOf("(", at + 1)) {
    const lower = nameBefore(value, at).toLowerCase();
    if (lower !== "" && lower !== "url" && !cssFunctions.has(lower)) return false;
  }
  return true;
}

/** The name that ends before an index and optional white space. */
function nameBefore(value: string, at: number): string {
  let end = at;
  while (end > 0 && /\s/.test(value.charAt(end - 1))) end--;
  let start = end;
  while (start > 0 && end - start < maxNameLength && /[\w-]/.test(value.charAt(start - 1))) start--;
  return value.slice(start, end);
}

/** Whether every `url(` is closed and contains only a fragment. */
function hasOnlyFragmentUrls(value: string): boolean {
  const fragment = /url\(\s*(?:"#[^"'()\s]*"|'#[^"'()\s]*'|#[^"'()\s]*)\s*\)/gi;
  return !/url\s*\(/i.test(value.replace(fragment, ""));
}

/** Cleans the declarations of a `style` attribute or of a rule: `fill:red;stroke:blue`. */
export function cleanDeclarations(css: string): string {
  const kept: string[] = [];
  for (const declaration of splitOutsideStrings(withoutComments(css), ";")) {
    const colon = declaration.indexOf(":");
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    const known = svgProperties.has(name) || /^--[\w-]+$/.test(name);
    const safe = known && value !== "" ? safeValue(name, value) : undefined;
    if (safe !== undefined) kept.push(`${name}:${safe}`);
  }
  return kept.join(";");
}

/** Cleans a style sheet. */
export function cleanStyleSheet(css: string): string {
  return cleanRules(withoutComments(css).replace(/<!--|-->/g, ""), 0);
}

function cleanRules(css: string, depth: number): string {
  if (depth > maxDepth) return "";
  let clean = "";
  for (let at = 0; at < css.length; ) {
    const open = findOutsideStrings(css, "{;", at);
    if (open < 0) break;
    if (css.charAt(open) === ";") {
      at = open + 1;
      continue;
    }
    const close = closingBrace(css, open);
    clean += cleanRule(css.slice(at, open).trim(), css.slice(open + 1, close), depth);
    at = close + 1;
  }
  return clean;
}

function cleanRule(prelude: string, body: string, depth: number): string {
  if (prelude.startsWith("@")) {
    const [name = ""] = prelude.split(/[\s(]/, 1);
    if (!groupRules.has(name.toLowerCase()) || !/^@[\w\s\-:(),.%]*$/.test(prelude)) return "";
    const rules = cleanRules(body, depth + 1);
    return rules && `${prelude}{${rules}}`;
  }
  if (prelude === "" || !/^[\w\s\-.#*,:>+~()[\]="'^$|%]*$/.test(prelude) || !hasClosedStrings(prelude))
    return "";
  const declarations = cleanDeclarations(body);
  return declarations && `${prelude}{${declarations}}`;
}

/** Comments end as in a browser's parser; one without an end extends to the end of the text. */
function withoutComments(css: string): string {
  let clean = "";
  for (let at = 0; ; ) {
    const open = css.indexOf("/*", at);
    if (open < 0) return clean + css.slice(at);
    clean += `${css.slice(at, open)} `;
    const close = css.indexOf("*/", open + 2);
    if (close < 0) return clean;
    at = close + 2;
  }
}

function closingBrace(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at >= 0 && at < css.length; at = findOutsideStrings(css, "{}", at + 1)) {
    depth += css.charAt(at) === "{" ? 1 : -1;
    if (depth === 0) return at;
  }
  return css.length;
}

function splitOutsideStrings(css: string, separator: string): string[] {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const next = findOutsideStrings(css, separator, at);
    if (next < 0) return [...parts, css.slice(at)];
    parts.push(css.slice(at, next));
    at = next + 1;
  }
}

/** The index of the next occurrence of one of the characters outside quotes, or -1. */
function findOutsideStrings(css: string, characters: string, from: number): number {
  for (let at = from; at < css.length; at++) {
    const character = css.charAt(at);
    if (characters.includes(character)) return at;
    if (character === '"' || character === "'") {
      const close = css.indexOf(character, at + 1);
      if (close < 0) return -1;
      at = close;
    }
  }
  return -1;
}

function hasControlCharacter(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return true;
  }
  return false;
}
