/** The TextMate grammars, made of the tables of the languages: `npm run generate` writes them. */
import * as vocabulary from "../../src/editor/expressions/vocabulary.ts";
import { ruleKinds } from "../../src/engine/tokens/expression/language/rule-kinds.ts";

type VocabularyWord = vocabulary.VocabularyWord;

/** The scopes by kind of word. */
export const scopes: Readonly<Record<VocabularyWord["kind"], string>> = {
  field: "variable.language.field.edgeproof",
  function: "support.function.edgeproof",
  operator: "keyword.operator.word.edgeproof",
  combinator: "keyword.control.edgeproof",
};

/** All words of a kind, the longest first, as alternatives. */
function wordsOf(kind: VocabularyWord["kind"]): string {
  const words = ruleKinds.flatMap((rules) => [...vocabulary.wordsOf(rules).values()]);
  const names = words.flatMap((word) => (word.kind === kind ? [word.name] : []));
  const longestFirst = [...new Set(names)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return longestFirst.map((name) => name.replaceAll(".", "\\.").replaceAll(" ", "\\s+")).join("|");
}

/** Words of a kind; a part of a longer name is none. */
function wordRule(kind: VocabularyWord["kind"]) {
  return { name: scopes[kind], match: `(?<![\\w.])(?:${wordsOf(kind)})(?![\\w.])` };
}

const comment = "Made by editors/vscode/grammar.mts.";

/** In a string of another language a quote may have a backslash. */
function rules(quote: string, escapes: string) {
  return [
    {
      name: "string.quoted.double.edgeproof",
      begin: `r?${quote}`,
      end: quote,
      patterns: [{ name: "constant.character.escape.edgeproof", match: escapes }],
    },
    ...(["field", "function", "operator", "combinator"] as const).map(wordRule),
    { name: "constant.language.edgeproof", match: "(?<![\\w.])(?:true|false)(?![\\w.])" },
    { name: "constant.numeric.edgeproof", match: "(?<![\\w.])-?[0-9]+(?:\\.[0-9.]+)?(?![\\w.])" },
    { name: "variable.other.list.edgeproof", match: "\\$[a-z][a-z0-9_]*" },
    { name: "keyword.operator.edgeproof", match: "==|!=|<=|>=|\\|\\||&&|\\^\\^|[<>!~&]" },
  ];
}

/** The grammar of an expression by itself. */
export const expressionGrammar = {
  comment,
  name: "edgeproof expression",
  scopeName: "source.edgeproof",
  patterns: rules('"', '\\\\(?:["\\\\]|x[0-9a-fA-F]{2}|[0-7]{3})'),
};

/** A quoted expression behind its name, which keeps the scope that the format's own grammar gives to names. */
function expressionAfter(name: string, separator: string, nameScope: string) {
  return {
    name: "meta.expression.edgeproof",
    begin: `(?<!\\w)(${name})(\\s*${separator}\\s*)(")`,
    beginCaptures: { "1": { name: nameScope }, "3": { name: "punctuation.definition.string.begin" } },
    end: '(?<!\\\\)(")|$',
    endCaptures: { "1": { name: "punctuation.definition.string.end" } },
    patterns: [{ include: "#words" }],
  };
}

/** The grammar of expressions in strings of JSON, YAML and Terraform, after the name `expression`. */
export const injectionGrammar = {
  comment,
  scopeName: "edgeproof.injection",
  injectionSelector:
    "L:source.json -comment, L:source.json.comments -comment, L:source.yaml -comment, L:source.hcl -comment, L:source.hcl.terraform -comment, L:source.terraform -comment",
  patterns: [
    expressionAfter('"expression"', ":", "support.type.property-name.json"),
    expressionAfter("expression", ":", "entity.name.tag.yaml"),
    expressionAfter("expression", "=", "variable.other.readwrite.hcl"),
  ],
  repository: { words: { patterns: rules('\\\\"', '\\\\\\\\(?:\\\\["\\\\]|x[0-9a-fA-F]{2}|[0-7]{3})') } },
};

/** The files by name. */
export const grammarFiles = {
  "syntaxes/expression.tmLanguage.json": expressionGrammar,
  "syntaxes/injection.tmLanguage.json": injectionGrammar,
};

export const printGrammar = (grammar: unknown) => `${JSON.stringify(grammar, null, 2)}\n`;
