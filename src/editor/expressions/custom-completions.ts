/**
 * The completions of custom rules at a position: configurations by title and lists by name where they are named, the
 * operators of a value's type behind it, else fields, functions and combinators.
 */
import { combinators } from "../../engine/tokens/expression/ast.ts";
import { type CustomField, customFields } from "../../engine/tokens/expression/language/custom-fields.ts";
import { operatorsOfType } from "../../engine/tokens/expression/language/custom-operators.ts";
import {
  type CustomType,
  isArrayType,
  isMapType,
  partType,
} from "../../engine/tokens/expression/language/custom-types.ts";
import { isInString, type NamedConfig, type Offer, type Offers } from "./completions.ts";
import { vocabulary } from "./vocabulary.ts";

/** The names of a zone and its account. */
export interface CustomNames {
  readonly configs: readonly NamedConfig[];
  /** Names of lists. */
  readonly lists: readonly string[];
}

const words: readonly Offer[] = vocabulary.custom.map(({ name, signature, help, apply = name }) => {
  const field = customFields.get(name);
  return {
    label: name,
    apply: field ? appliedField(name, field) : apply,
    detail: field ? help : `${signature}. ${help}`,
  };
});

/** Claims are by configuration, which is completed next. */
function appliedField(name: string, { type, source }: CustomField): string {
  if (isMapType(type)) return source === "claims" ? `${name}["` : `${name}["name"][0]`;
  return isArrayType(type) ? `${name}[*]` : name;
}

/** @param before the text up to the cursor */
export function customOffersAt(before: string, { configs, lists }: CustomNames): Offers | undefined {
  const [, id] = /\bhttp\.request\.jwt\.claims(?:\.[a-z.]+)?\["([^"]*)$/.exec(before) ?? [];
  if (id !== undefined) {
    const offers = configs.map(({ id, title }) => ({
      label: title || id,
      apply: `${id}"][0]`,
      detail: title === "" ? "" : id,
    }));
    return { from: before.length - id.length, offers };
  }
  if (isInString(before)) return undefined;
  const [, list] = /\$([a-z0-9_.]*)$/.exec(before) ?? [];
  if (list !== undefined) {
    const offers = lists.map((name) => ({ label: `$${name}`, apply: name, detail: "list" }));
    return { from: before.length - list.length, offers };
  }
  const typed = /[A-Za-z_][\w.]*$/.exec(before)?.[0] ?? "";
  const from = before.length - typed.length;
  const type = typeBefore(before.slice(0, from));
  if (type !== undefined) return { from, offers: operatorsOf(type) };
  return typed === "" ? undefined : { from, offers: words };
}

/** A field with its indices at the end of a text, followed by a space. */
const fieldAtEnd = /(?:^|[\s(])([a-z_][\w.]*)((?:\[(?:"[^"]*"|\d+|\*)\])*) +$/;

function typeBefore(before: string): CustomType | undefined {
  const [, name = "", indices = ""] = fieldAtEnd.exec(before) ?? [];
  let type: CustomType | undefined = customFields.get(name)?.type;
  for (const _ of indices.matchAll(/\[/g)) type = type && partType(type);
  return type;
}

/** The operators of a value; behind a Bool, the combinators. */
function operatorsOf(type: CustomType): readonly Offer[] {
  if (type === "Bool")
    return [...combinators].map((name) => ({ label: name, apply: name, detail: "combinator" }));
  if (isArrayType(type) || isMapType(type)) return [];
  return [...operatorsOfType(type)].map(([label, { help, operand }]) => ({
    label,
    apply: operand === "set" ? `${label} {` : label,
    detail: help,
  }));
}
