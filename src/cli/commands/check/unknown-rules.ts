/** Custom rules that a file does not decide: each has one finding, with the command that resolves it. */
import type { Undecided } from "../../../import/undecided.ts";
import type { World } from "../../../service/world/schema.ts";
import type { CheckedWorld } from "../../input/imports/checked-files.ts";
import type { FoundCheck } from "../../output/zones/zone-case.ts";

/** The undecided parts without those that are rules of the world, whose findings have them. */
export function otherParts({ value, source }: CheckedWorld): readonly Undecided[] {
  const reasons = reasonsIn(value);
  return source.undecided.filter((part) => !reasons.some((reason) => isAbout(part, reason)));
}

/** The findings, with the command that resolves an unknown rule. */
export function withCommands(
  findings: readonly FoundCheck[],
  { source: { undecided } }: Pick<CheckedWorld, "source">,
): readonly FoundCheck[] {
  return findings.map((finding) => {
    if (finding.rule !== "unknown-rule") return finding;
    const part = undecided.find(({ message }) => endOf(message) === endOf(finding.message));
    return part?.run === undefined ? finding : { ...finding, run: part.run };
  });
}

function isAbout({ about, message }: Undecided, reason: string): boolean {
  return about === "rule" && endOf(message) === `${reason}.`;
}

/** The reason in a message such as `A custom rule is undecided: the reason.` */
function endOf(message: string): string {
  return message.slice(message.indexOf(": ") + 2);
}

/** Why rules of the world are not known. */
function reasonsIn({ zones = [], accounts = [] }: World): readonly string[] {
  return [...zones, ...accounts].flatMap(({ rulesets = [] }) =>
    rulesets.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.undecided ?? [])),
  );
}
