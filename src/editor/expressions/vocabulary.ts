/** The words of the two languages, with their documentation: all of the tables of the engine. */
import { combinators, quantifiers, tokenTests } from "../../engine/tokens/expression/ast.ts";
import { customFields, fieldSources } from "../../engine/tokens/expression/language/custom-fields.ts";
import {
  customFunctionNames,
  entryOfFunction,
  signatureOf,
} from "../../engine/tokens/expression/language/custom-functions.ts";
import { customOperators } from "../../engine/tokens/expression/language/custom-operators.ts";
import { fields } from "../../engine/tokens/expression/language/fields.ts";
import { valueFunctions } from "../../engine/tokens/expression/language/functions.ts";
import { operatorsOf } from "../../engine/tokens/expression/language/operators.ts";
import type { ExpressionLanguage } from "./language.ts";

/** A word. */
export interface VocabularyWord {
  readonly name: string;
  readonly kind: "field" | "function" | "operator" | "combinator";
  /** The name with its type or its parameters. */
  readonly signature: string;
  readonly help: string;
  /** The inserted text. Default: the name. */
  readonly apply?: string;
}

const combinatorHelp: Readonly<Record<(typeof combinators)[number] | "not", string>> = {
  or: "True when an operand is; binds weakest.",
  xor: "True when an odd number of operands is.",
  and: "True when all operands are; binds strongest.",
  not: "True when the next operand is false.",
};

const testHelp: Readonly<Record<(typeof tokenTests)[number], string>> = {
  is_jwt_valid: "The request has a token of the configuration, and it is valid.",
  is_jwt_present: "The request has a token of the configuration, valid or not.",
};

const quantifierHelp: Readonly<Record<(typeof quantifiers)[number], string>> = {
  any: "Whether a value passes the comparison.",
  all: "Whether every value passes the comparison.",
};

const shared: readonly VocabularyWord[] = [
  ...([...combinators, "not"] as const).map((name) => {
    return { name, kind: "combinator" as const, signature: name, help: combinatorHelp[name] };
  }),
  ...quantifiers.map((name) => {
    const help = quantifierHelp[name];
    return { name, kind: "function" as const, signature: `${name}(comparison)`, help, apply: `${name}(` };
  }),
];

type OperatorTable = Readonly<
  Record<string, { readonly form: "call" | readonly string[]; readonly help: string }>
>;

function operatorWords(tables: Readonly<Record<string, OperatorTable>>): readonly VocabularyWord[] {
  const words = new Map<string, VocabularyWord>();
  for (const [name, { form, help }] of Object.values(tables).flatMap(Object.entries<OperatorTable[string]>)) {
    if (words.has(name)) continue;
    const isCall = form === "call";
    const spellings = isCall ? "" : form.map((one) => `, \`${one}\``).join("");
    words.set(name, {
      name,
      kind: isCall ? "function" : "operator",
      signature: isCall ? `${name}(value, string)` : `value ${name} operand${spellings.replaceAll("`", "")}`,
      help,
      ...(isCall && { apply: `${name}(` }),
    });
  }
  return [...words.values()];
}

/** The words by language, in the order of completion. */
export const vocabulary: { readonly [L in ExpressionLanguage]: readonly VocabularyWord[] } = {
  token: [
    ...Object.entries(fields).map(([name, { type, help }]) => ({
      name,
      kind: "field" as const,
      signature: type === "list" ? `${name}["name"][0]: String` : `${name}: ${type}`,
      help,
      ...(type === "list" && { apply: `${name}["name"][0]` }),
    })),
    ...tokenTests.map((name) => {
      const help = testHelp[name];
      return { name, kind: "function" as const, signature: `${name}("id")`, help, apply: `${name}("` };
    }),
    ...Object.entries(valueFunctions).map(([name, { parameter, result, help }]) => ({
      name,
      kind: "function" as const,
      signature: `${name}(${parameter}): ${result}`,
      help,
      apply: `${name}(`,
    })),
    ...shared,
    ...operatorWords(operatorsOf),
  ],
  custom: [
    ...[...customFields].map(([name, { type, source, help }]) => ({
      name,
      kind: "field" as const,
      signature: `${name}: ${type}`,
      help: `${help} From ${fieldSources[source]}.`,
    })),
    ...customFunctionNames.map((name) => ({
      name,
      kind: "function" as const,
      signature: signatureOf(name),
      help: entryOfFunction(name).help,
      apply: `${name}(`,
    })),
    ...shared,
    ...operatorWords(customOperators),
  ],
};

const byName: { readonly [L in ExpressionLanguage]: ReadonlyMap<string, VocabularyWord> } = {
  token: new Map(vocabulary.token.map((word) => [word.name, word])),
  custom: new Map(vocabulary.custom.map((word) => [word.name, word])),
};

/** The entry of a word. */
export function wordOf(language: ExpressionLanguage, name: string): VocabularyWord | undefined {
  return byName[language].get(name);
}
