/** The limit of an analysis that is about token rules alone. */

import { type CodedDiagnostic, InvalidInputError } from "../../../errors.ts";
import { inputProblem } from "../input-problem.ts";
import type { ReadCustomRules, ReadZone } from "../zone/zone-input.ts";

/** Whether a zone or its account has custom rules. */
export function hasCustomRules({ custom }: { readonly custom: ReadCustomRules | undefined }): boolean {
  const { account, zone } = custom?.rulesets.entries ?? {};
  return [account, zone].some((entry) => entry !== undefined && entry.rules.length > 0);
}

/**
 * Rejects a zone with custom rules, of which an analysis would know nothing.
 *
 * @param subject what would be wrong, such as "a generated suite"
 * @throws InvalidInputError with the way around it
 */
export function rejectCustomRules(zone: ReadZone, subject: string): void {
  if (!hasCustomRules(zone)) return;
  const problems: CodedDiagnostic[] = (["account", "zone"] as const).flatMap((level) => {
    if (zone.custom?.rulesets.entries[level] === undefined) return [];
    const member = level === "account" ? "account_rulesets" : "rulesets";
    const advice = `leave \`${member}\` out to have it for the token rules alone`;
    return [inputProblem(`/${member}`, `${subject} does not include custom rules; ${advice}`)];
  });
  throw new InvalidInputError("The zone has custom rules", problems);
}
