/** The explanations of the words of expressions, and of the facts about the language. */
import { wordsOf } from "../../../editor/expressions/vocabulary.ts";
import { nameKind, ruleKinds } from "../../../engine/tokens/expression/language/rule-kinds.ts";
import { type FactExample, languageFacts } from "./language-facts.ts";
import { otherKinds, verdictWords } from "./verdict-words.ts";

/** The name under which the facts are explained. */
const language = "language";

const languages = { token: "token validation rules", custom: "custom rules" } as const;

const wordsOfLanguage = (of: keyof typeof languages) =>
  [...wordsOf(of).values()].map((word) => ({ ...word, language: of, owners: languages[of] }));

/** The words that neither token rules nor custom rules have. */
function otherWords() {
  const others = new Map(ruleKinds.flatMap((kind) => [...wordsOf(kind)]));
  return [...others.values()].flatMap((word) => {
    const kinds = ruleKinds.filter((kind) => wordsOf(kind).has(word.name));
    if (kinds.includes("token") || kinds.includes("custom")) return [];
    return { ...word, language: "other" as const, owners: kinds.map(nameKind).join(", ") };
  });
}

const words = [...wordsOfLanguage("token"), ...wordsOfLanguage("custom"), ...otherWords()].map(
  ({ name, kind, signature, help, language: of, owners }) => ({
    value: { word: name, kind, language: of, signature, help },
    text: `${kind} of ${owners}: ${signature}\n${help}\n`,
  }),
);

const ofVerdicts = Object.entries(verdictWords).flatMap(([kind, all]) =>
  Object.entries<string>(all).map(([word, help]) => ({
    value: { word, kind, language: "verdict" as const, signature: word, help },
    text: `${kind}${otherKinds.has(kind) ? "" : " of a verdict"}: ${word}\n${help}\n`,
  })),
);

/** Every name that has an explanation here. */
export const wordNames: readonly string[] = [
  language,
  ...new Set([...words, ...ofVerdicts].map(({ value }) => value.word)),
];

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
  return [...words, ...ofVerdicts].filter(({ value }) => value.word === name);
}

function exampleLine({ language: of, expression, is, token, headers }: FactExample): string {
  const given = [
    token ? `${token.state} token${token.claims ? ` ${JSON.stringify(token.claims)}` : ""}` : "no token",
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  const result = is === "error" ? "is an error" : `is ${is} with ${given.join(", ")}`;
  return `  ${of}: ${expression}\n    ${result}`;
}
