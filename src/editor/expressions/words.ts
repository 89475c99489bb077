/** The words that both languages of expressions have, and how a word is described. */
import { combinators, quantifiers } from "../../engine/tokens/expression/ast.ts";

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

const quantifierHelp: Readonly<Record<(typeof quantifiers)[number], string>> = {
  any: "Whether a value passes the comparison.",
  all: "Whether every value passes the comparison.",
};

/** The combinators and quantifiers. */
export const sharedWords: readonly VocabularyWord[] = [
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

/** The operators of tables by type; one of several types is a word once, as that of the first. */
export function operatorWords(tables: Readonly<Record<string, OperatorTable>>): readonly VocabularyWord[] {
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
