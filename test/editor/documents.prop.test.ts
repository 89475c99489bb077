/** Laws of documents in editors: places, edits and broken texts, in every format and spelling. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { stringify } from "yaml";
import { type Splice, spliceAll } from "../../src/core/json/edits.ts";
import { walk } from "../../src/core/text-tree/node.ts";
import { completeAt } from "../../src/editor/completion.ts";
import { type EditorDocument, readDocument } from "../../src/editor/document.ts";
import { expressionFindings } from "../../src/editor/findings.ts";
import { formatDocument } from "../../src/editor/formatting.ts";
import { hoverAt } from "../../src/editor/hover.ts";
import { idAt, idsIn, placesOf } from "../../src/editor/ids.ts";
import { parseExpression } from "../../src/engine/tokens/expression/parser.ts";
import { printExpression } from "../../src/engine/tokens/expression/printer.ts";
import { expressionArbitrary } from "../../src/testing/arbitraries/token-zones.ts";
import { runs } from "../support/runs.ts";

const numRuns = runs(500, 60);
const id = "4a7e5d2c-0000-4000-8000-000000000000";
const other = "4a7e5d2c-0000-4000-8000-000000000001";

const world = (expression: string) => ({
  zones: [
    {
      id: "z1",
      token_validation: {
        configs: [{ id, title: "Zelt 🏕" }],
        rules: [{ title: "é 😀", expression, selector: { include: [{ host: ["a.example.com"] }] } }],
      },
    },
  ],
});

/** The same world in every spelling of a string. */
const spellings: Readonly<Record<string, (expression: string) => readonly [name: string, text: string]>> = {
  json: (text) => ["w.json", JSON.stringify(world(text))],
  "json with escapes": (text) => {
    const ascii = JSON.stringify(world(text), null, 2).replace(/[^ -~\n]|[ie]/g, (unit) =>
      /[ie]/.test(unit) && Math.abs(text.length) % 2 === 0
        ? unit
        : `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    return ["w.json", ascii.includes('"zones"') ? ascii : JSON.stringify(world(text))];
  },
  "json with CRLF and a byte order mark": (text) => [
    "w.json",
    `\ufeff${JSON.stringify(world(text), null, 2).replaceAll("\n", "\r\n")}`,
  ],
  "double quotes of YAML": (text) => [
    "w.yaml",
    stringify(world(text), { defaultStringType: "QUOTE_DOUBLE" }),
  ],
  "single quotes of YAML": (text) => [
    "w.yaml",
    stringify(world(text), { defaultStringType: "QUOTE_SINGLE" }),
  ],
  "plain YAML": (text) => ["w.yaml", stringify(world(text), { lineWidth: 0 })],
  "folded YAML": (text) => ["w.yaml", stringify(world(text), { lineWidth: 40 })],
  "literal YAML": (text) => ["w.yaml", stringify(world(text), { defaultStringType: "BLOCK_LITERAL" })],
  "flow YAML": (text) => ["w.yaml", stringify(world(text), { collectionStyle: "flow" })],
};

const inTerraform: Readonly<Record<string, (expression: string) => readonly [name: string, text: string]>> = {
  "quotes of Terraform": (text) => [
    "r.tf",
    `resource "cloudflare_token_validation_rules" "a" {\n  title = "😀"\n  expression = ${JSON.stringify(text).replace(/[$%](?=\{)/g, "$&$&")}\n}\n`,
  ],
  heredoc: (text) => [
    "r.tf",
    `resource "cloudflare_token_validation_rules" "a" {\n  expression = <<-EOT\n    ${text.replace(/[$%](?=\{)/g, "$&$&").replaceAll("\n", "\n    ")}\n  EOT\n}\n`,
  ],
};

/** In one line or in several; some strings have what has to be escaped in a format. */
const expressions = fc
  .tuple(
    expressionArbitrary(fc, [id, other]),
    fc.constantFrom(" ", "\n", "\n  "),
    fc.constantFrom(
      "",
      "",
      ' or http.request.uri.path eq "it\'s \\\\ $\u007ba} %{b} # 😀 é: x"',
      ' or http.host matches r"a\\.b"',
    ),
  )
  .map(([text, space, more]) => `${text}${more}`.replace(/ (?=(?:and|or|xor) )/g, space));
const everySpelling = fc.constantFrom(...Object.entries({ ...spellings, ...inTerraform }));

const apply = (document: EditorDocument, edits: readonly Splice[]) =>
  readDocument(document.name, spliceAll(document.text, edits));

const read = ([name, text]: readonly [string, string]) => readDocument(name, text);

const meaning = (text: string) => {
  const parsed = parseExpression(text);
  return parsed.ok ? printExpression(parsed.value) : undefined;
};

describe("places", () => {
  test("each character of an expression without escapes is at its offset in the text", () => {
    fc.assert(
      fc.property(expressions, everySpelling, (text, [, write]) => {
        const document = read(write(text));
        const [expression] = document.expressions;
        const { value, offsetOf } = expression!.written;
        // The lines of a heredoc keep their indentation.
        expect(value.trim().replaceAll(/\n +/g, "\n")).toBe(text.trim().replaceAll(/\n +/g, "\n"));
        for (let i = 0; i < value.length; i++) {
          expect(offsetOf(i)).toBeLessThanOrEqual(offsetOf(i + 1));
          const written = document.text[offsetOf(i)];
          if (/[^\s{]/.test(value[i]!) && written !== "\\") expect(written).toBe(value[i]);
        }
      }),
      { numRuns },
    );
  });

  test("an offset becomes a position of the protocol and the same offset again, except inside of a line end", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\r\n", "😀", "é", "\ufeff") }),
        (text) => {
          const document = TextDocument.create("file:///a", "json", 1, text);
          for (let offset = 0; offset <= text.length; offset++) {
            const isInLineEnd = text.slice(offset - 1, offset + 1) === "\r\n";
            if (!isInLineEnd) expect(document.offsetAt(document.positionAt(offset))).toBe(offset);
          }
        },
      ),
      { numRuns },
    );
  });

  test("findings, hovers and completions are in the text, whatever was inserted or deleted", () => {
    const change = fc.record({
      at: fc.nat({ max: 100 }),
      length: fc.nat({ max: 12 }),
      text: fc.string({
        unit: fc.constantFrom(..."{}[]\"'\\:,|>&*#-\n\r\t $\u007b}<é😀ax(".split("")),
        maxLength: 6,
      }),
    });
    fc.assert(
      fc.property(
        expressions,
        everySpelling,
        fc.array(change, { maxLength: 4 }),
        (expression, [, write], changes) => {
          const [name, whole] = write(expression);
          const text = changes.reduce((now, { at, length, text }) => {
            const start = Math.floor((now.length * at) / 100);
            return now.slice(0, start) + text + now.slice(start + length);
          }, whole);
          const document = readDocument(name, text);
          for (const node of walk(document.tree.root)) {
            node.read?.();
            expect(node.start).toBeLessThanOrEqual(node.end);
            expect(node.end).toBeLessThanOrEqual(text.length);
          }
          for (const { start, end } of expressionFindings(document)) {
            expect(start).toBeLessThanOrEqual(end);
            expect(end).toBeLessThanOrEqual(text.length);
          }
          for (const { at } of changes) {
            const offset = Math.floor((text.length * at) / 100);
            const hover = hoverAt(document, offset);
            if (hover) expect(hover.start <= offset && offset <= hover.end).toBe(true);
            for (const { start, end } of completeAt(document, offset))
              expect(start <= offset && offset <= end && end <= text.length).toBe(true);
          }
          expect(formatDocument(document)).toBeDefined();
        },
      ),
      { numRuns },
    );
  });
});

describe("edits", () => {
  test("a formatted expression is printed canonically, means the same, and is not changed again", () => {
    fc.assert(
      fc.property(expressions, everySpelling, (text, [, write]) => {
        const document = read(write(text));
        const formatted = apply(document, formatDocument(document));
        expect(formatted.expressions).toHaveLength(1);
        expect(meaning(formatted.expressions[0]!.written.value)).toBe(meaning(text));
        expect(formatDocument(formatted)).toEqual([]);
        const strings = (editorDocument: EditorDocument) =>
          [...walk(editorDocument.tree.root)].flatMap((node) =>
            node.read && node.name?.text !== "expression" ? [node.read().value] : [],
          );
        expect(strings(formatted)).toEqual(strings(document));
      }),
      { numRuns },
    );
  });

  test("a rename changes every place of the id and nothing else", () => {
    const name = "aaaaaaaa-0000-4000-8000-00000000000a";
    const used = expressions.filter((text) => text.includes(id));
    fc.assert(
      fc.property(used, fc.constantFrom(...Object.entries(spellings)), (text, [, write]) => {
        const document = read(write(text));
        const definition = idAt(document, idsIn(document)[0]!.start)!;
        const places = placesOf(definition, [document]);
        const edits = places.map(({ start, end }) => ({ start, end, content: name }));
        const renamed = apply(document, edits);
        const value = (editorDocument: EditorDocument) =>
          meaning(editorDocument.expressions[0]!.written.value);
        expect(value(renamed)).toBe(value(document)!.replaceAll(id, name));
        expect(renamed.ids.map((defined) => defined.id)).toEqual([name]);
        expect(placesOf(idAt(renamed, idsIn(renamed)[0]!.start)!, [renamed])).toHaveLength(places.length);
      }),
      { numRuns },
    );
  });

  test("the fix of a mistyped word changes only that word, and the expression is valid", () => {
    fc.assert(
      fc.property(everySpelling, fc.constantFrom("andd", "nd", "an"), ([, write], typed) => {
        const document = read(write(`is_jwt_valid("${id}") ${typed} is_jwt_present("${id}")`));
        const [finding] = expressionFindings(document);
        const fix = finding?.fixes.find(({ title }) => title.endsWith("by `and`"));
        const fixed = apply(document, fix!.edits);
        expect(expressionFindings(fixed)).toEqual([]);
        expect(fixed.expressions[0]!.written.value.trim()).toBe(
          `is_jwt_valid("${id}") and is_jwt_present("${id}")`,
        );
      }),
      { numRuns },
    );
  });
});
