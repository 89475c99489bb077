/** The normalized host of a match with the part that the pattern was found in. */
import type { DomainMatch } from "../../engine/brand/model.ts";
import type { MarkedName } from "../brand-messages.ts";

/** The matcher counts code points of the host; a page counts code units. */
export function markedHost({ host, host_span: { start, end } }: DomainMatch): MarkedName {
  const letters = [...host];
  const offset = (position: number) => letters.slice(0, position).join("").length;
  return { text: host, start: offset(start), end: offset(end) };
}
