/** What the editor offers at a position: configurations by title inside of a call, else fields, functions and operators. */
import {
  plainFields,
  quantifiers,
  stringTests,
  tokenTests,
  uriFields,
  valueFunctions,
} from "../../../src/engine/tokens/expression/ast.ts";

/** A configuration that can be named. */
export interface NamedConfig {
  readonly id: string;
  readonly title: string;
}

/** One offer. */
export interface Offer {
  /** What is shown: the title of a configuration, or the text itself. */
  readonly label: string;
  /** What is inserted. */
  readonly apply: string;
  /** A remark beside the label. */
  readonly detail: string;
}

/** The offers at the end of a text, and the offset at which the inserted text begins. */
export interface Offers {
  readonly from: number;
  readonly offers: readonly Offer[];
}

const words: readonly Offer[] = [
  ...plainFields.map((name) => ({ label: name, apply: name, detail: "field" })),
  ...uriFields.map((name) => ({ label: name, apply: name, detail: "field of functions and matches" })),
  { label: "http.request.headers", apply: 'http.request.headers["name"][0]', detail: "header" },
  { label: "http.request.cookies", apply: 'http.request.cookies["name"][0]', detail: "cookie" },
  ...tokenTests.map((name) => ({ label: name, apply: `${name}("`, detail: "token" })),
  ...valueFunctions.map((name) => ({ label: name, apply: `${name}(`, detail: "function of a value" })),
  ...stringTests.map((name) => ({
    label: name,
    apply: `${name}(`,
    detail: "function of a value and a string",
  })),
  ...quantifiers.map((name) => ({
    label: name,
    apply: `${name}(`,
    detail: "of all values of a header or cookie",
  })),
  ...["and", "or", "xor", "not"].map((name) => ({ label: name, apply: name, detail: "combinator" })),
  ...["eq", "ne", "in", "contains", "wildcard", "strict wildcard", "matches"].map((name) => ({
    label: name,
    apply: name,
    detail: "operator",
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
function isInString(before: string): boolean {
  return (before.replaceAll(/\\./g, "").match(/"/g)?.length ?? 0) % 2 === 1;
}
