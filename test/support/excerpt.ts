/** Compares an output with what a document shows of it. */
import { expect } from "vitest";

/** `...` shows that something is left out: as a line, at the start of a line or at its end. */
const leftOut = /^\.\.\.(?: |$)| \.\.\.$/m;

/** Expects the text in the output: what is between marks of left out parts is there as it is, in this order. */
export function expectExcerpt(printed: string, shown: string, place: string): void {
  const parts = shown.trimEnd().split(leftOut);
  let rest = printed;
  for (const [i, part] of parts.map((text) => text.replaceAll(/^\n|\n$/g, "")).entries()) {
    const at = rest.indexOf(part);
    expect(at, `${place}: ${JSON.stringify(part)} is not in ${JSON.stringify(rest)}`).not.toBe(-1);
    if (i === 0 && part !== "") expect(rest.slice(0, at).trim(), `${place}: before the first line`).toBe("");
    rest = rest.slice(at + part.length);
  }
  if (parts.at(-1) !== "") expect(rest.trim(), `${place}: after the last line`).toBe("");
}
