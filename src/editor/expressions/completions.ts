/** The completions at a position: configurations by title inside of a call, else fields, functions and operators. */
import { tokenVocabulary } from "./token-vocabulary.ts";

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

const words: readonly Offer[] = tokenVocabulary.map(({ name, help, apply = name }) => {
  return { label: name, apply, detail: help };
});

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
