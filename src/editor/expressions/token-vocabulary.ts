/** The words of token rules, in the order of completion; without those of custom rules, which the page loads later. */
import { tokenTests } from "../../engine/tokens/expression/ast.ts";
import { fields } from "../../engine/tokens/expression/language/fields.ts";
import { valueFunctions } from "../../engine/tokens/expression/language/functions.ts";
import { operatorsOf } from "../../engine/tokens/expression/language/operators.ts";
import { operatorWords, sharedWords, type VocabularyWord } from "./words.ts";

const testHelp: Readonly<Record<(typeof tokenTests)[number], string>> = {
  is_jwt_valid: "The request has a token of the configuration, and it is valid.",
  is_jwt_present: "The request has a token of the configuration, valid or not.",
};

/** The words of token rules. */
export const tokenVocabulary: readonly VocabularyWord[] = [
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
  ...sharedWords,
  ...operatorWords(operatorsOf),
];
