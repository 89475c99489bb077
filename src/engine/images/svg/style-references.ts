/**
 * References of cleaned styles to the elements that others are painted with. A selector is reduced to one key that its
 * elements certainly have, so that too many elements are counted rather than too few.
 */
import { urlFragments } from "./url-fragments.ts";

/** A reference to an element that others are painted with. */
export interface PaintReference {
  readonly id: string;
  /** Whether descendants inherit it, so that each of them is painted. */
  readonly inherits: boolean;
}

/** References of a rule of a style sheet. */
export interface StyleRule {
  /** `#id`, `.class`, the name of an element, or `*`. */
  readonly key: string;
  readonly paints: readonly PaintReference[];
}

/** Properties that are applied to an element as a whole (SVG 2, property index: not inherited). */
const appliedOnce = new Set(["mask", "clip-path", "filter"]);

/** The references in the value of an attribute or of a property. */
export function paintsOf(property: string, value: string): PaintReference[] {
  const inherits = !appliedOnce.has(property);
  return urlFragments(value).map((id) => ({ id, inherits }));
}

/** The references in declarations. Custom properties count, as if they were inherited paints. */
export function declaredPaints(declarations: string): PaintReference[] {
  return withoutStrings(declarations)
    .split(";")
    .flatMap((declaration) => {
      const colon = declaration.indexOf(":");
      return paintsOf(declaration.slice(0, Math.max(0, colon)).trim(), declaration.slice(colon + 1));
    });
}

/** The rules of a cleaned style sheet that refer to elements. */
export function styleRules(css: string): StyleRule[] {
  const parts = withoutStrings(css).split(/([{}])/);
  return parts.flatMap((brace, i) => {
    if (brace !== "{" || parts[i + 2] !== "}") return [];
    const paints = declaredPaints(parts[i + 1] ?? "");
    return paints.length === 0 ? [] : keysOf(parts[i - 1] ?? "").map((key) => ({ key, paints }));
  });
}

/** Writes `url("#a")` as `url(#a)`, and empties all other strings: they may contain braces. */
function withoutStrings(css: string): string {
  return css.replace(/(url\(\s*)(["'])(#[^"'()\s]*)\2/gi, "$1$3").replace(/"[^"]*"|'[^']*'/g, '""');
}

function keysOf(selectors: string): readonly string[] {
  // Functions such as `:is()` contain lists of their own, and attributes may contain anything.
  return /[([]/.test(selectors) ? ["*"] : selectors.split(",").map(keyOf);
}

/** The id, class or name that the element of a selector has, from its last part; `*` without one. */
function keyOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? "";
  const [plain = ""] = last.split(":", 1);
  return /[#.][\w-]+/.exec(plain)?.[0] ?? /^[a-z][\w-]*/i.exec(plain)?.[0] ?? "*";
}
