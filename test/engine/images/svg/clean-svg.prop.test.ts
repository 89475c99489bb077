import { cleanSvg } from "edgeproof/images";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { runs } from "../../../support/runs.ts";

const names = [
  "g",
  "path",
  "use",
  "style",
  "script",
  "foreignObject",
  "a",
  "text",
  "image",
  "animate",
  "set",
  "x:g",
  "S",
];
const attributes = [
  "id",
  "fill",
  "style",
  "href",
  "xlink:href",
  "onload",
  "d",
  "attributeName",
  "to",
  "xml:base",
  "class",
];
const fragments = [
  "url(#a)",
  "url(//evil.test)",
  "red",
  "#a",
  "javascript:x",
  "fill:red",
  ";",
  "{",
  "}",
  "(",
  ")",
  "/*",
  "*/",
  "\\",
  "@import",
  "@media x",
  "&quot;",
  "&lt;",
  "&amp;",
  "&#10;",
  "'",
  ":",
  "a",
  " ",
  ",",
  "<!--",
  "-->",
  "expression(",
];
const value = fc.array(fc.constantFrom(...fragments), { maxLength: 8 }).map((parts) => parts.join(""));
const quoted = value.map((text) => text.replaceAll("<", "&lt;"));
const text = value.map((part) => part.replaceAll("<", "&lt;").replaceAll("]]>", ""));

const element = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom(...names),
      fc.uniqueArray(fc.tuple(fc.constantFrom(...attributes), quoted), {
        maxLength: 4,
        selector: ([name]) => name,
      }),
      fc.array(fc.oneof({ maxDepth: 4 }, text, tie("element")), { maxLength: 4 }),
    )
    .map(([name, given, children]) => {
      const written = given.map(([attribute, content]) => ` ${attribute}="${content}"`).join("");
      return `<${name}${written}>${children.join("")}</${name}>`;
    }),
})).element;

const namespaces =
  'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="http://www.w3.org/2000/svg"';
const document = fc
  .array(element, { maxLength: 4 })
  .map((parts) => `<svg ${namespaces}>${parts.join("")}</svg>`);

/** Everything in a document that could run or load something, found by a second parser. */
function dangers(svg: string): string[] {
  const found: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("opentag", ({ local, attributes }) => {
    if (["script", "foreignObject", "iframe"].includes(local)) found.push(local);
    for (const { name, value } of Object.values(attributes)) {
      if (/^on/i.test(name) || name === "xml:base") found.push(name);
      if (/href$/.test(name) && !/^(#|data:image\/)/.test(value)) found.push(`${name}=${value}`);
      if (/url\s*\(\s*['"]?[^#'"\s]/i.test(value) && !/^(id|class|aria-)/.test(name))
        found.push(`${name}=${value}`);
      if (name === "attributeName" && /href|^on|style/i.test(value)) found.push(value);
    }
  });
  let inStyle = false;
  parser.on("opentagstart", ({ name }) => {
    inStyle = name === "style";
  });
  parser.on("closetag", () => {
    inStyle = false;
  });
  parser.on("text", (content) => {
    if (inStyle && /url\(\s*['"]?\/\/|@import|\\/i.test(content)) found.push(content);
  });
  parser.write(svg).close();
  return found;
}

test("cleaning a clean SVG does not change it, and nothing in it can load or run", () => {
  let cleaned = 0;
  fc.assert(
    fc.property(document, (svg) => {
      const first = cleanSvg(svg);
      if (!first.ok) return;
      cleaned++;
      expect(cleanSvg(first.value.svg)).toEqual(first);
      expect(dangers(first.value.svg)).toEqual([]);
    }),
    { numRuns: runs(1_000, 200) },
  );
  expect(cleaned).toBeGreaterThan(runs(1_000, 200) / 4);
});

test("any text is cleaned or rejected, and cleaning twice equals cleaning once", () => {
  const parts = fc.constantFrom(
    "<svg>",
    "</svg>",
    "<g",
    ">",
    "/>",
    "<",
    "&",
    ";",
    '"',
    "=",
    "<!DOCTYPE ",
    "[",
    "]>",
    "x",
  );
  const junk = fc.array(parts, { maxLength: 20 }).map((texts) => texts.join(""));
  fc.assert(
    fc.property(fc.oneof(junk, fc.string({ unit: "binary" })), (text) => {
      const first = cleanSvg(text);
      expect(first.ok ? cleanSvg(first.value.svg) : first).toEqual(first);
    }),
    { numRuns: runs(1_000) },
  );
});
