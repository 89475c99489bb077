/** The extension of VS Code: its manifest, grammars and snippets fit the languages. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { expressionGrammar, injectionGrammar, scopes } from "../../editors/vscode/grammar.mts";
import { readDocument } from "../../src/editor/document.ts";
import { wordsOf } from "../../src/editor/expressions/vocabulary.ts";
import { expressionFindings } from "../../src/editor/findings.ts";
import { ruleKinds } from "../../src/engine/tokens/expression/language/rule-kinds.ts";

const folder = "editors/vscode";
const read = (path: string) => JSON.parse(readFileSync(`${folder}/${path}`, "utf8"));

const { contributes, activationEvents, version } = read("package.json");

test("every file of the manifest exists, and its version is that of the package", () => {
  const paths: string[] = [
    ...contributes.grammars.map(({ path }: { path: string }) => `${folder}/${path}`),
    ...contributes.snippets.map(({ path }: { path: string }) => `${folder}/${path}`),
    ...contributes.languages.flatMap(({ configuration }: { configuration?: string }) =>
      configuration === undefined ? [] : [`${folder}/${configuration}`],
    ),
    ...contributes.jsonValidation.map(({ url }: { url: string }) => url),
  ];
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  expect(version).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
});

test("the client and the manifest name the same languages", () => {
  const [, list = ""] = /const languages = (\[.*?\]);/.exec(readFileSync(`${folder}/extension.js`, "utf8"))!;
  expect(activationEvents).toEqual(JSON.parse(list).map((language: string) => `onLanguage:${language}`));
});

describe("the grammar", () => {
  const rules = expressionGrammar.patterns.flatMap((rule) =>
    "match" in rule ? [{ name: rule.name, pattern: new RegExp(rule.match!) }] : [],
  );
  const words = ruleKinds
    .flatMap((rules) => [...wordsOf(rules).values()])
    .map(({ name, kind }) => [name, kind] as const);

  test("colors every word of each kind of rules by its kind, and no longer name as one", () => {
    for (const [word, kind] of words) {
      const [first] = rules.flatMap(({ name, pattern }) => {
        const found = pattern.exec(`(${word})`);
        return found?.[0] === word ? [name] : [];
      });
      expect([word, first]).toEqual([word, scopes[kind]]);
      expect(rules.filter(({ pattern }) => pattern.exec(`x_${word}.y`)?.[0] === word)).toEqual([]);
    }
  });
});

test.each([
  ['"expression": "ssl"', ".json"],
  ['expression: "ssl"', ".yaml"],
  ['expression = "ssl"', ".hcl"],
  ['other_expression = "ssl"', undefined],
])("in `%s` the name has the scope of the format", (line, format) => {
  const found = injectionGrammar.patterns.filter(({ begin }) => new RegExp(begin).test(line));
  expect(found.map(({ beginCaptures }) => /\.\w+$/.exec(beginCaptures["1"].name)?.[0])).toEqual(
    format === undefined ? [] : [format],
  );
});

test("files of Terraform have a language that starts the client, without another extension", () => {
  expect(contributes.languages).toContainEqual({ id: "terraform", extensions: [".tf"] });
  expect(activationEvents).toContain("onLanguage:terraform");
});

/** A snippet with the defaults of its placeholders, of choices the first. */
function expand(body: string | readonly string[]): string {
  const text = [body].flat().join("\n");
  const defaults = new Map(
    [...text.matchAll(/\$\{(\d+)(?::([^}]*)|\|([^,|]*)[^|]*\|)\}/g)].map(([, id, value, choice]) => [
      id,
      value ?? choice,
    ]),
  );
  const once = text.replace(
    /\$\{(\d+)(?::[^}]*|\|[^|]*\|)\}|\$(\d+)/g,
    (_, setting, other) => defaults.get(setting ?? other) ?? "",
  );
  return once.replace(/\$(\d+)/g, (_, id) => defaults.get(id) ?? "").replaceAll("\\\\", "\\");
}

describe("snippets", () => {
  test.each(Object.entries<{ body: string[] }>(read("snippets/world.json")))(
    "%s is JSON without findings of expressions",
    (_, { body }) => {
      const text = expand(body);
      expect(() => JSON.parse(text)).not.toThrow();
      expect(expressionFindings(readDocument("world.json", text))).toEqual([]);
    },
  );

  test("of expressions are valid", () => {
    for (const { body } of Object.values<{ body: string }>(read("snippets/expression.json"))) {
      const rules = [{ expression: expand(body) }];
      const world = { zones: [{ id: "z", token_validation: { configs: [{ id: "" }], rules } }] };
      expect(expressionFindings(readDocument("world.json", JSON.stringify(world)))).toEqual([]);
    }
  });
});
