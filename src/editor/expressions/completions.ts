/** The completions at a position: configurations by title inside of a call, else fields, functions and operators. */
import { combinators, quantifiers, tokenTests } from "../../engine/tokens/expression/ast.ts";
import { fields } from "../../engine/tokens/expression/language/fields.ts";
import { valueFunctions } from "../../engine/tokens/expression/language/functions.ts";
import { operatorsOf } from "../../engine/tokens/expression/language/operators.ts";

/** A configuration that can be named. */
export interface NamedConfig {
  readonly id: string;
  readonly title: string;
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

const operators = Object.values(operatorsOf).flatMap((table) => Object.entries(table));

const words: readonly Offer[] = [
  ...Object.entries(fields).map(([label, { type, help }]) => ({
    label,
    apply: type === "list" ? `${label}["name"][0]` : label,
    detail: help,
  })),
  ...tokenTests.map((name) => ({ label: name, apply: `${name}("`, detail: "token" })),
  ...Object.entries(valueFunctions).map(([label, { help }]) => ({ label, apply: `${label}(`, detail: help })),
  ...quantifiers.map((name) => ({
    label: name,
    apply: `${name}(`,
    detail: "of all values of a header or cookie",
  })),
  ...[...combinators, "not"].map((name) => ({ label: name, apply: name, detail: "combinator" })),
  // An operator of several types is offered once, as that of strings.
  ...[...new Map(operators.toReversed())].toReversed().map(([label, { form, help }]) => ({
    label,
    apply: form === "call" ? `${label}(` : label,
    detail: help,
  })),
];

/** @param before the text up to the cursor */
export function offersAt(before: string, configs: readonly NamedConfig[]): Offers | undefined {
  const inCall = /\bis_jwt_(?:valid|present)\s*\(\s*"([^"]*)$/.exec(before);
  if (inCall) {
    const typed = inCall[1] ?? "";
    const offers = configs.map(({ id, title }) => ({
      label: title || id,
      apply: `${id}")`,
      detail: title === "" ? "" : id,
    }));
    return { from: before.length - typed.length, offers };
  }
  if (isInString(before)) return undefined;
  const typed = /[A-Za-z_][\w.]*$/.exec(before)?.[0] ?? "";
  return typed === "" ? undefined : { from: before.length - typed.length, offers: words };
}

/** Whether the text ends inside of a quoted string. */
export function isInString(before: string): boolean {
  return (before.replaceAll(/\\./g, "").match(/"/g)?.length ?? 0) % 2 === 1;
}
