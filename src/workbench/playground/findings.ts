/** The problems of the rules of the playground, and the findings of the analysis in one zone. */
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import type { Profile } from "../../core/profiles.ts";
import { analyze } from "../../engine/tokens/analysis/analyze.ts";
import { analyzeValidParts } from "../../engine/tokens/analysis/analyze-valid-parts.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { zoneDefaults } from "../../service/tokens/compile-zone.ts";
import { maxSteps } from "../../service/tokens/drafts/check-draft.ts";
import type { RulesMark } from "../playground-messages.ts";
import type { PlaygroundZone, ReadRules } from "./read-rules.ts";

/** The problems of the rules, then the findings, with their lines in the text. */
export function findingsOf(
  { problems, profile, lineOf }: ReadRules,
  zone: PlaygroundZone | undefined,
): readonly RulesMark[] {
  const inZone = zone ? zoneFindings(zone.input, profile) : [];
  const placed = inZone.map((diagnostic) => ({
    ...diagnostic,
    pointer: zone?.pointerOf(diagnostic.pointer ?? "") ?? "",
  }));
  const known = new Set(placed.filter(({ level }) => level === "error").map(({ pointer }) => pointer));
  const all: readonly RulesMark[] = [
    ...problems.filter(({ pointer = "" }) => !known.has(pointer)),
    ...placed,
  ];
  return all.map((mark) => {
    const line = mark.line ?? (mark.pointer === undefined ? undefined : lineOf(mark.pointer));
    return { ...mark, ...(line !== undefined && { line }) };
  });
}

/** Where nothing is invalid for the analysis, the profile can reject more. */
function zoneFindings(input: ZoneInput, profile: Profile): readonly Diagnostic[] {
  const options = zoneDefaults(profile);
  const { precedence, headerCase, invalidKeys, sharedSecrets } = options;
  const run = isList(input.configs) && isList(input.rules) ? analyzeValidParts : analyze;
  const found = run(input, { precedence, headerCase, invalidKeys, sharedSecrets, maxSteps });
  if (found.some(({ level }) => level === "error")) return found;
  const rejected = checkZone(input, options).map((diagnostic): Diagnostic => {
    return { ...diagnostic, rule: "invalid", level: "error" };
  });
  const isRejected = new Set(rejected.map(({ pointer }) => pointer));
  return [...rejected, ...found.filter(({ pointer }) => !isRejected.has(pointer))];
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}
