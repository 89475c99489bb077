/** `check` of rules: the configurations and token rules of each zone, and the custom rules of zones and accounts. */

import type { Level } from "../../../core/diagnostic.ts";
import { profiles } from "../../../core/profiles.ts";
import type { AnalyzeOptions } from "../../../engine/tokens/analysis/analyze.ts";
import { analyzeValidParts } from "../../../engine/tokens/analysis/analyze-valid-parts.ts";
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
import { accountOfZone } from "../../../service/world/account-of-zone.ts";
import { accountRulesets } from "../../../service/world/rulesets/world-rulesets.ts";
import type { WorldZone } from "../../../service/world/rulesets/world-zones.ts";
import type { CheckedWorld } from "../../input/imports/checked-files.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import type { ReportCase } from "../../output/report/report.ts";
import { customCases } from "../../output/zones/custom-rules.ts";
import { type CheckedZone, zoneCases } from "../../output/zones/token-rules.ts";
import { type FoundCheck, inFile, placeFindings } from "../../output/zones/zone-case.ts";
import { withCommands } from "./unknown-rules.ts";

/**
 * The cases of a world.
 *
 * @param only id of the only zone that is asked for
 * @param maxSteps steps of the analysis for one question; by default those of the engine
 */
export function ruleCases(
  world: CheckedWorld,
  only: string | undefined,
  failOn: Level,
  maxSteps?: number,
): readonly ReportCase[] {
  const { precedence, headerCase, sharedSecrets, urlNormalization, restrictions } = profiles[world.profile];
  const options = {
    precedence,
    headerCase,
    sharedSecrets,
    urlNormalization,
    restrictions,
    ...(maxSteps !== undefined && { maxSteps }),
  };
  const asked = world.zones
    .filter(({ id }) => only === undefined || id === only)
    .map((zone) => analyzeZone(zone, world.source, options));
  return [
    ...asked.flatMap((zone) => casesOfZone(world, zone, failOn)),
    ...casesOfAccounts(world, asked, only, options, failOn),
  ];
}

function analyzeZone(zone: WorldZone, source: WorldSource, options: AnalyzeOptions): CheckedZone {
  const findings = analyzeValidParts(zone.input, options).map((finding) =>
    inFile({ ...finding, subject: { zone: zone.id, ...finding.subject } }, zone.pointerOf),
  );
  const known = hasUnknownRule(zone, source)
    ? findings.filter(({ rule }) => rule !== "unused-config")
    : findings;
  return { zone, findings: withCommands(placeFindings(known, source), { source }) };
}

/** Whether a rule of the zone is left out, which could reference any configuration. */
function hasUnknownRule({ id }: WorldZone, { undecided }: WorldSource): boolean {
  return undecided.some(({ about, subject: { zone } = {} }) => {
    return about === "rule" && (zone === undefined || zone === id);
  });
}

function casesOfZone(
  { problems, source, value }: CheckedWorld,
  { zone, findings }: CheckedZone,
  failOn: Level,
): readonly ReportCase[] {
  const index = value.zones?.findIndex(({ id }) => id === zone.id) ?? -1;
  const base = pointer("zones", index);
  const isOfRulesets = ({ pointer: at = "" }: { readonly pointer?: string }) =>
    at.startsWith(`${base}/rulesets`);
  const isOfTokens = ({ pointer: at = "" }: { readonly pointer?: string }) => at.startsWith(zone.at);
  const ofTokens = withProblems(problems.filter(isOfTokens), findings.filter(isOfTokens), source);
  const hasTokens = value.zones?.[index]?.token_validation !== undefined || ofTokens.length > 0;
  return [
    ...(hasTokens ? zoneCases({ zone, findings: ofTokens }, failOn, source) : []),
    ...customCases(
      {
        owner: zone.id,
        at: base,
        rulesets: zone.input.rulesets,
        findings: withProblems(problems.filter(isOfRulesets), findings.filter(isOfRulesets), source),
      },
      failOn,
      source,
    ),
  ];
}

/** The findings after the problems of parts in which the analysis found nothing invalid. */
function withProblems(
  problems: readonly CodedDiagnostic[],
  found: readonly FoundCheck[],
  source: WorldSource,
): readonly FoundCheck[] {
  const known = new Set(
    found.filter(({ level }) => level === "error").map(({ pointer: at = "" }) => partOf(at)),
  );
  const others = problems.filter(({ pointer: at = "" }) => !known.has(partOf(at)));
  return [...asFindings(others, source), ...found];
}

/** The configuration, the token rule, the custom rule or the list that a pointer leads into. */
function partOf(at: string): string {
  return /^(?:\/[^/]+){2}\/(?:rulesets\/\d+\/rules\/\d+|[^/]+(?:\/[^/]+){0,2})/.exec(at)?.[0] ?? at;
}

function asFindings(problems: readonly CodedDiagnostic[], source: WorldSource): readonly FoundCheck[] {
  const found = problems.map(({ message, pointer: at = "" }) => {
    return { rule: "invalid", level: "error", message, pointer: at } as const;
  });
  return placeFindings(found, source);
}

/** The rules of an account are evaluated in each of its zones, and reported once. */
function casesOfAccounts(
  world: CheckedWorld,
  asked: readonly CheckedZone[],
  only: string | undefined,
  options: AnalyzeOptions,
  failOn: Level,
): readonly ReportCase[] {
  const { value, problems, source } = world;
  const accounts = value.accounts ?? [];
  const ids = accounts.map(({ id }) => id);
  return accounts.flatMap((account, i) => {
    const at = pointer("accounts", i);
    const zones = asked.filter(({ zone }) => {
      const { account_id } = value.zones?.find(({ id }) => id === zone.id) ?? {};
      return accountOfZone(account_id, ids) === account.id;
    });
    if (zones.length === 0 && only !== undefined) return [];
    const { input, pointerOf } = accountRulesets(value as Parameters<typeof accountRulesets>[0], i);
    const alone = () =>
      analyzeValidParts({ configs: [], rules: [], ...input }, options)
        .filter(({ rule }) => rule !== "unknown-claims")
        .map((finding) => inFile(finding, pointerOf));
    const findings =
      zones.length === 0 ? withCommands(placeFindings(alone(), source), world) : merge(zones, at);
    const parts = [`${at}/rulesets`, `${at}/lists`];
    const own = problems.filter(({ pointer: where = "" }) => {
      return parts.some((part) => where === part || where.startsWith(`${part}/`));
    });
    const found = withProblems(own, findings, source);
    return customCases(
      { owner: account.id, at, rulesets: input.account_rulesets, findings: found },
      failOn,
      source,
    );
  });
}

/** Findings of some zone; that a configuration is unknown, only when it is found in all of them. */
function merge(zones: readonly CheckedZone[], at: string): readonly FoundCheck[] {
  const found = new Map<string, { readonly finding: FoundCheck; readonly count: number }>();
  for (const { findings } of zones) {
    for (const finding of findings) {
      const { rule, pointer: where = "", message } = finding;
      if (!where.startsWith(`${at}/`)) continue;
      const key = JSON.stringify([rule, where, message]);
      found.set(key, { finding, count: (found.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...found.values()]
    .filter(({ finding, count }) => finding.rule !== "unknown-claims" || count === zones.length)
    .map(({ finding }) => finding);
}
