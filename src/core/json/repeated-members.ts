/** Finds members that an object of a valid JSON text has more than once; `JSON.parse` keeps the last of them. */
import { stringEnd } from "../json-index.ts";

/** An object or array around the place of the scan. */
interface Container {
  /** The names of an object so far. */
  readonly names?: Set<string>;
  /** The name or index of its current child. */
  child: string | number;
}

/**
 * RFC 6901 pointers of the members whose names an object already has, in the order of the text.
 *
 * @example [...repeatedMembers('{"a":1,"b":{"c":2,"c":3}}')] // ["/b/c"]
 */
export function* repeatedMembers(text: string): Generator<string> {
  const path: Container[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const mark = text.charCodeAt(at);
    const inner = path.at(-1);
    if (mark === marks.quote) {
      const end = stringEnd(text, at);
      if (isName && inner?.names) {
        inner.child = JSON.parse(text.slice(at, end)) as string;
        if (inner.names.has(inner.child)) yield pointerOf(path);
        inner.names.add(inner.child);
      }
      isName = false;
      at = end - 1;
    } else if (mark === marks.comma) {
      if (typeof inner?.child === "number") inner.child++;
      else isName = true;
    } else if (mark === marks.openBrace) {
      path.push({ names: new Set(), child: "" });
      isName = true;
    } else if (mark === marks.openBracket) path.push({ child: 0 });
    else if (mark === marks.closeBrace || mark === marks.closeBracket) {
      path.pop();
      isName = false;
    }
  }
}

const marks = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
};

function pointerOf(path: readonly Container[]): string {
  return path.map(({ child }) => `/${String(child).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
