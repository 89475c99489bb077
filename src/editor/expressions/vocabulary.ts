/** The words of expressions by kind of rules, with their documentation: all of the tables of the engine. */
import {
  fieldSources,
  hasField,
  type KnownField,
  knownFields,
} from "../../engine/tokens/expression/language/fields.ts";
import {
  entryOfFunction,
  functionNames,
  hasFunction,
  isTokenTest,
  signatureOf,
} from "../../engine/tokens/expression/language/functions.ts";
import { operators } from "../../engine/tokens/expression/language/operators.ts";
import { isValueKind, type RuleKind } from "../../engine/tokens/expression/language/rule-kinds.ts";
import { isArrayType, isMapType } from "../../engine/tokens/expression/language/types.ts";
import { combinators, quantifiers } from "../../engine/tokens/expression/tree.ts";

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

const sharedWords: readonly VocabularyWord[] = [
  ...([...combinators, "not"] as const).map((name) => {
    return { name, kind: "combinator" as const, signature: name, help: combinatorHelp[name] };
  }),
  ...quantifiers.map((name) => {
    const help = quantifierHelp[name];
    return { name, kind: "function" as const, signature: `${name}(comparison)`, help, apply: `${name}(` };
  }),
];

const known = new Map<RuleKind, ReadonlyMap<string, VocabularyWord>>();

/** The words of a kind of rules by name, in the order of completion. */
export function wordsOf(rules: RuleKind): ReadonlyMap<string, VocabularyWord> {
  const words = known.get(rules) ?? new Map(collectWords(rules).map((word) => [word.name, word]));
  known.set(rules, words);
  return words;
}

function collectWords(rules: RuleKind): readonly VocabularyWord[] {
  return [
    ...[...knownFields]
      .filter(([, field]) => hasField(rules, field))
      .map(([name, field]) => ({
        name,
        kind: "field" as const,
        signature: `${name}: ${field.type}`,
        help: rules === "token" ? field.help : `${field.help} From ${fieldSources[field.source]}.`,
        apply: appliedField(name, field),
      })),
    ...functionNames
      .filter((name) => hasFunction(rules, name))
      .map((name) => ({
        name,
        kind: "function" as const,
        signature: signatureOf(name),
        help: entryOfFunction(name).help,
        apply: isTokenTest(name) ? `${name}("` : `${name}(`,
      })),
    ...(isValueKind(rules) ? [] : [...sharedWords, ...operatorWords()]),
  ];
}

/** Claims are by configuration, which is completed next. */
function appliedField(name: string, { type, source }: KnownField): string {
  if (type === "Map<Int>") return `${name}["name"]`;
  if (isMapType(type)) return source === "claims" ? `${name}["` : `${name}["name"][0]`;
  return isArrayType(type) ? `${name}[*]` : name;
}

/** An operator of several types is a word once, as that of the first. */
function operatorWords(): readonly VocabularyWord[] {
  type Entry = { readonly form: readonly string[]; readonly help: string };
  const words = new Map<string, VocabularyWord>();
  for (const [name, { form, help }] of Object.values(operators).flatMap(Object.entries<Entry>)) {
    if (words.has(name)) continue;
    const signature = `value ${[name, ...form].join(", ").replace(", ", " operand, ")}`;
    words.set(name, {
      name,
      kind: "operator",
      signature: form.length === 0 ? `value ${name} operand` : signature,
      help,
    });
  }
  return [...words.values()];
}
