/** Looks for a request of a part of the space, and has the real engine confirm it. */

import type { TokenKey } from "../bound-expression.ts";
import { type Realised, realise } from "./concretize.ts";
import type { Diagram } from "./decision-diagram.ts";
import type { Space } from "./variables.ts";

/** A request, the certainty that there is none, or why neither is known. */
export type Searched<T> =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly realised: Realised; readonly shown: T }
  | { readonly kind: "undecided"; readonly reason: string };

/** Most points that are tried before the search gives up. */
const maxPoints = 64;

/** Looks for a request where a function is true. `confirm` asks the real engine, and gives undefined when it denies. */
export function findRequest<T>(
  space: Space,
  wanted: Diagram,
  confirm: (realised: Realised, tokens: ReadonlyMap<string, TokenKey>) => T | undefined,
): Searched<T> {
  let tried = 0;
  let points = 0;
  for (const point of space.realPoints(wanted)) {
    if (++points === maxPoints) break;
    if (!point.real) continue;
    const realised = realise(space, point);
    const shown = confirm(realised, tokensOf(space, realised));
    if (shown !== undefined) return { kind: "found", realised, shown };
    tried++;
  }
  if (points === 0 && space.isNever(wanted)) return { kind: "none" };
  return { kind: "undecided", reason: tried === 0 ? unsendable : unconfirmed };
}

const unsendable =
  "it could only be shown by a request with a value that is not known to be possible to send";
const unconfirmed = "the requests that could show it contradict themselves";

function tokensOf(space: Space, { chosen }: Realised): ReadonlyMap<string, TokenKey> {
  return new Map(
    [...chosen.values()].flatMap(({ key }) => (key ? [[space.standIn(key), key] as const] : [])),
  );
}
