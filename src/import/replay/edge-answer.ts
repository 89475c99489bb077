/** The action of the edge that is compared with the verdict of a zone. */
import type { VerdictAction } from "../../engine/tokens/verdict/verdict.ts";
import type { EdgeAnswer } from "../traffic/recorded-request.ts";
import type { ZoneSide } from "./replay-zone.ts";

/** The action of token validation, and of custom rules if the zone has some. */
export interface ComparedAnswer {
  /** Absent when it is not known. */
  readonly action?: VerdictAction | undefined;
  readonly ruleId?: string | undefined;
  /** Whether a product that is not simulated ended the request. */
  readonly endedByOther: boolean;
}

/** The answer of the edge, as far as the zone has the rules that gave it: custom rules come first. */
export function answerOf(edge: EdgeAnswer, { ruleIds, customIds, read }: ZoneSide): ComparedAnswer {
  const { custom, endedBy } = edge;
  if (endedBy !== undefined) {
    const rule = endedBy.ruleId.toLowerCase();
    const isOwn = customIds.has(rule) || (ruleIds.has(rule) && endedBy.action === "block");
    return isOwn ? { ...endedBy, endedByOther: false } : { endedByOther: true };
  }
  if (custom === undefined || read.custom === undefined) return edge;
  if (custom.action === "block" || custom.action === "challenge") return { ...custom, endedByOther: false };
  if (custom.action === undefined) return { endedByOther: edge.endedByOther };
  return custom.action === "log" && edge.action === "allow" ? { ...custom, endedByOther: false } : edge;
}
