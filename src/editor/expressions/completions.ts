/**
 * The completions at a position of an expression: configurations by title and lists by name where they are named, the
 * operators of a value's type behind it, else fields, functions and combinators.
 */
import { knownFields } from "../../engine/tokens/expression/language/fields.ts";
import { operatorsOfType } from "../../engine/tokens/expression/language/operators.ts";
import type { RuleKind } from "../../engine/tokens/expression/language/rule-kinds.ts";
import {
  isArrayType,
  isMapType,
  partType,
  type ValueType,
} from "../../engine/tokens/expression/language/types.ts";
import { combinators } from "../../engine/tokens/expression/tree.ts";
import { wordsOf } from "./vocabulary.ts";

/** A configuration that can be named. */
export interface NamedConfig {
  readonly id: string;
  readonly title: string;
}

/** The names of a zone and its account. */
export interface Names {
  readonly configs: readonly NamedConfig[];
  /** Names of lists. */
  readonly lists: readonly string[];
}

/** One offer. */
export interface Offer {
  /** The shown text: the title of a configuration, or the text itself. */
  readonly label: string;
  /** The inserted text. */
  readonly apply: string;
  /** A remark beside the label. */
  readonly detail: string;
}

/** The offers at the end of a text, and the offset at which the inserted text begins. */
export interface Offers {
  readonly from: number;
  readonly offers: readonly Offer[];
}

function offersOf(rules: RuleKind): readonly Offer[] {
  return [...wordsOf(rules).values()].map(({ name, kind, signature, help, apply = name }) => ({
    label: name,
    apply,
    detail: rules !== "token" && kind !== "field" ? `${signature}. ${help}` : help,
  }));
}

/** The id of a configuration at the end of a text, and the text behind it when it is complete. */
function openId(rules: RuleKind, before: string): string | undefined {
  if (rules === "token") return /\bis_jwt_(?:valid|present)\s*\(\s*"([^"]*)$/.exec(before)?.[1];
  const quotationMark = before.lastIndexOf('"');
  const field = wordAtEnd(before.slice(0, Math.max(0, quotationMark - 1)));
  const isOpen =
    before[quotationMark - 1] === "[" && /^http\.request\.jwt\.claims(?:\.[a-z.]+)?$/.test(field);
  return isOpen ? before.slice(quotationMark + 1) : undefined;
}

/** @param before the text up to the cursor */
export function offersAt(rules: RuleKind, before: string, { configs, lists }: Names): Offers | undefined {
  const typedId = openId(rules, before);
  if (typedId !== undefined) {
    const offers = configs.map(({ id, title }) => ({
      label: title || id,
      apply: `${id}${rules === "token" ? '")' : '"][0]'}`,
      detail: title === "" ? "" : id,
    }));
    return { from: before.length - typedId.length, offers };
  }
  if (isInString(before)) return undefined;
  const [, list] = (rules !== "token" && /\$([a-z0-9_.]*)$/.exec(before)) || [];
  if (list !== undefined) {
    const offers = lists.map((name) => ({ label: `$${name}`, apply: name, detail: "list" }));
    return { from: before.length - list.length, offers };
  }
  const typed = wordAtEnd(before);
  const from = before.length - typed.length;
  const type = typeBefore(before.slice(0, from));
  if (type !== undefined) return { from, offers: operatorsOf(type) };
  return typed === "" ? undefined : { from, offers: offersOf(rules) };
}

/** Whether the text ends inside of a quoted string. */
export function isInString(before: string): boolean {
  return (before.replaceAll(/\\./g, "").match(/"/g)?.length ?? 0) % 2 === 1;
}

/** The name at the end of a text, which may be incomplete. */
export function wordAtEnd(text: string): string {
  let start = text.length;
  while (start > 0 && /[\w.]/.test(text[start - 1] as string)) start--;
  const run = text.slice(start);
  const first = run.search(/[A-Za-z_]/);
  return first < 0 ? "" : run.slice(first);
}

/** A field with its indices at the end of a text, followed by a space. */
const fieldAtEnd = /(?:^|[\s(])([a-z_][\w.]*)((?:\[(?:"[^"]*"|\d+|\*)\])*) +$/;

function typeBefore(before: string): ValueType | undefined {
  const [, name = "", indices = ""] = fieldAtEnd.exec(before) ?? [];
  let type: ValueType | undefined = knownFields.get(name)?.type;
  for (const _ of indices.matchAll(/\[/g)) type = type && partType(type);
  return type;
}

/** The operators of a value; behind a Bool, the combinators. */
function operatorsOf(type: ValueType): readonly Offer[] {
  if (type === "Bool")
    return [...combinators].map((name) => ({ label: name, apply: name, detail: "combinator" }));
  if (isArrayType(type) || isMapType(type)) return [];
  return [...operatorsOfType(type)].map(([label, { help, operand }]) => ({
    label,
    apply: operand === "set" ? `${label} {` : label,
    detail: help,
  }));
}
