/** The choices that requests have for one place, as far as the leaves of expressions can tell them apart. */

import type { Comparison, Field } from "../../expression/ast.ts";
import { compileComparison } from "../../expression/compiler.ts";
import type { BoundConfig, TokenKey } from "../bound-expression.ts";
import type { Meter } from "../budget.ts";
import { explore, type Finding } from "../strings/combine.ts";
import { askAll, type Questions } from "../strings/comparison-dfas.ts";
import type { Automaton } from "../strings/dfa.ts";
import { tokenShape, yieldsToken } from "../strings/token-dfas.ts";
import { type FieldKind, kindOf } from "./location.ts";
import { prefixes } from "./placeholder-token.ts";

/** One choice: all texts that have the same answers. */
export interface Choice {
  /** Undefined: the place is empty. */
  readonly text: string | undefined;
  /** The answers to the place's comparisons. */
  readonly answers: readonly boolean[];
  /** Whether a source at this place yields a token. */
  readonly yields: boolean;
  /** The key that the token there is signed with; absent when it is valid for nobody. */
  readonly key?: TokenKey;
  /** Whether the text is one that a client can send. */
  readonly real: boolean;
}

/** What is asked about one place. */
export interface Place {
  readonly field: Field;
  readonly comparisons: readonly Comparison[];
  /** The configurations that look for their token here. */
  readonly configs: readonly BoundConfig[];
}

/** What is known of a place beforehand. */
export interface Restriction {
  /** All texts that there are. */
  readonly texts?: readonly string[];
  /** Texts that are none. */
  readonly except?: readonly string[];
  readonly required?: readonly Automaton[];
  readonly usual?: readonly string[];
  readonly isReal?: (text: string) => boolean;
}

/** All choices of a place, the plainest first. */
export function choicesOf(
  place: Place,
  restriction: Restriction,
  standIn: (key: TokenKey) => string,
  meter: Meter,
): Choice[] {
  if (restriction.texts !== undefined) return fixedChoices(place, restriction.texts);
  const kind = restrict(kindOf(place.field), restriction);
  const absent = kind.optional ? [absentChoice(place)] : [];
  return [
    ...absent,
    ...tokenChoices(place, kind, standIn, meter),
    ...textChoices(place, kind, restriction.except ?? [], meter),
  ];
}

/** What holds for the texts of a place, beside what holds for its field. */
export function restrict(kind: FieldKind, { required = [], usual = [], isReal }: Restriction): FieldKind {
  return {
    ...kind,
    required: [...kind.required, ...required],
    usual: [...usual, ...kind.usual],
    isReal: (text) => kind.isReal(text) && (isReal?.(text) ?? true),
  };
}

/** The choice of a place that is empty. */
export function absentChoice({ comparisons }: Pick<Place, "comparisons">): Choice {
  return { text: undefined, answers: comparisons.map(() => false), yields: false, real: true };
}

/** One choice for all texts with the same answers. */
function fixedChoices({ comparisons }: Place, texts: readonly string[]): Choice[] {
  const tests = comparisons.map(compileComparison);
  const choices = texts.map((text) => {
    return { text, answers: tests.map((test) => test(text)), yields: false, real: true };
  });
  return [
    ...new Map(choices.toReversed().map((choice) => [choice.answers.join(), choice])).values(),
  ].toReversed();
}

function textChoices(
  { comparisons, configs }: Place,
  kind: FieldKind,
  except: readonly string[],
  meter: Meter,
): Choice[] {
  const questions = askAll(comparisons, except);
  const source = configs.length > 0 ? [yieldsToken] : [];
  const exploration = { ...kind, observed: [...questions.automata, ...source] };
  const choices = explore(exploration, meter)
    .filter(({ outputs }) => questions.marked(outputs) === -1)
    .map((finding) => textChoice(finding, questions, source.length > 0));
  return withUsualTexts(
    choices,
    comparisons,
    kind.usual.filter((text) => kind.isReal(text) && !except.includes(text)),
  );
}

function textChoice({ outputs, text, real }: Finding, questions: Questions, isSource: boolean): Choice {
  return { text, answers: questions.answers(outputs), yields: isSource && outputs.at(-1) === 1, real };
}

/** Puts usual texts where they have the same answers, and those choices first. */
function withUsualTexts(
  choices: readonly Choice[],
  comparisons: readonly Comparison[],
  usual: readonly string[],
): Choice[] {
  const tests = comparisons.map(compileComparison);
  const better = new Map(
    usual.toReversed().map((text) => [tests.map((test) => test(text)).join(), text] as const),
  );
  const named = choices.map((choice) => {
    const text = better.get(choice.answers.join());
    return text === undefined ? choice : { ...choice, text, real: true };
  });
  return named.sort((a, b) => Number(b.real) - Number(a.real) || rank(a) - rank(b));

  function rank({ text = "" }: Choice): number {
    const place = usual.indexOf(text);
    return place === -1 ? usual.length : place;
  }
}

/** Only letters, digits, `-` and `_` can stand for the other units of a token. */
const tokenUnits = "xyzabcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

function tokenChoices(
  place: Place,
  kind: FieldKind,
  standIn: (key: TokenKey) => string,
  meter: Meter,
): Choice[] {
  const keys = distinctKeys(place.configs);
  if (keys.length === 0) return [];
  const possible = possibleAnswers(place.comparisons, kind, meter);
  return keys.flatMap((key) => {
    const sendable = sendableAnswers(place, kind, standIn(key));
    return [...new Set([...sendable.keys(), ...possible.keys()])].map((answers) => ({
      text: sendable.get(answers) ?? standIn(key),
      answers: possible.get(answers) ?? [],
      yields: true,
      key,
      real: sendable.has(answers),
    }));
  });
}

/** One key of those that are in the same configurations. */
function distinctKeys(configs: readonly BoundConfig[]): TokenKey[] {
  const holders = new Map<string, { key: TokenKey; configs: number[] }>();
  for (const [i, config] of configs.entries()) {
    for (const key of config.keys) {
      const holder = holders.get(key.identity) ?? { key, configs: [] };
      holders.set(key.identity, holder);
      holder.configs.push(i);
    }
  }
  return [...new Map([...holders.values()].map(({ key, configs }) => [configs.join(), key])).values()];
}

/** The answers that values with some token can give. */
function possibleAnswers(
  comparisons: readonly Comparison[],
  kind: FieldKind,
  meter: Meter,
): Map<string, boolean[]> {
  const questions = askAll(comparisons);
  const required = [...kind.required, tokenShape];
  const exploration = { ...kind, observed: questions.automata, required, guides: [], others: tokenUnits };
  const found = explore(exploration, meter).map(({ outputs }) => questions.answers(outputs));
  return new Map(found.map((answers) => [answers.join(), answers]));
}

/** The answers that the usual spellings give, with the first text that does. */
function sendableAnswers({ field, comparisons }: Place, kind: FieldKind, token: string): Map<string, string> {
  const tests = comparisons.map(compileComparison);
  const spellings = field.name in prefixes ? prefixes[field.name as keyof typeof prefixes] : [];
  const texts = spellings.map((prefix) => prefix + token).filter(kind.isReal);
  return new Map(texts.toReversed().map((text) => [tests.map((test) => test(text)).join(), text]));
}
