/** The explanations of the words of expressions, and of the facts about the language. */
import { vocabulary } from "../../../editor/expressions/vocabulary.ts";
import { type FactExample, languageFacts } from "./language-facts.ts";

/** The name under which the facts are explained. */
const language = "language";

const languages = { token: "token validation rules", custom: "custom rules" } as const;

const words = (["token", "custom"] as const).flatMap((of) =>
  vocabulary[of].map(({ name, kind, signature, help }) => ({
    word: name,
    kind,
    language: of,
    signature,
    help,
  })),
);

/** Every name that has an explanation here. */
export const wordNames: readonly string[] = [language, ...new Set(words.map(({ word }) => word))];

/** An explanation, as JSON and as text. */
export interface Explained {
  readonly value: unknown;
  readonly text: string;
}

/** The explanations of a word, in each language that has it; those of the facts for `language`. */
export function explainedWords(name: string): readonly Explained[] {
  if (name === language)
    return languageFacts.map((value) => ({
      value,
      text: [`${value.fact} (${value.source})`, ...value.examples.map(exampleLine), ""].join("\n"),
    }));
  return words
    .filter(({ word }) => word === name)
    .map((value) => ({
      value,
      text: `${value.kind} of ${languages[value.language]}: ${value.signature}\n${value.help}\n`,
    }));
}

function exampleLine({ language: of, expression, is, token, headers }: FactExample): string {
  const given = [
    token ? `${token.state} token${token.claims ? ` ${JSON.stringify(token.claims)}` : ""}` : "no token",
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  const result = is === "error" ? "is an error" : `is ${is} with ${given.join(", ")}`;
  return `  ${of}: ${expression}\n    ${result}`;
}
