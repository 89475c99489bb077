/** The zones of a replay: each compiled once, in the new configuration and in the old one. */
import { type ProfileSettings, profiles } from "../../core/profiles.ts";
import type { TokenCheck } from "../../engine/tokens/model.ts";
import { customRuleIds } from "../../engine/tokens/rulesets/zone-rules.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { readTarget } from "../../engine/tokens/zone/target.ts";
import { compileWith } from "../../engine/tokens/zone/zone.ts";
import { type ReadZone, readZone, type ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { createZoneOfHost } from "../../engine/tokens/zone/zone-of-host.ts";
import { InvalidInputError } from "../../errors.ts";
import type { RecordedRequest } from "../traffic/recorded-request.ts";
import { customFieldsOf } from "./custom-reads.ts";
import { fieldsOfZone, type RuleField, sourceField } from "./rule-fields.ts";
import { createTrafficChecker } from "./token-checker.ts";
import { createDependencies, type Dependencies } from "./unknown-fields.ts";

/** A zone to replay requests against. */
export interface ReplayZone {
  /** Id of the zone. */
  readonly id: string;
  /** Domain of the zone, such as `example.com`. */
  readonly name?: string;
  /** Its configurations, rules and operations. */
  readonly input: ZoneInput;
}

/** The settings of a profile that change verdicts. */
export type ReplaySettings = Pick<ProfileSettings, "precedence" | "clockToleranceSeconds" | "headerCase">;

/** One side of a zone, ready to evaluate. */
export interface ZoneSide {
  readonly read: ReadZone;
  readonly dependencies: Dependencies;
  readonly ruleIds: ReadonlySet<string>;
  /** The ids of custom rules, in lower case. */
  readonly customIds: ReadonlySet<string>;
  readonly operationIds: ReadonlySet<string>;
  /**
   * Evaluates a request.
   *
   * @param accepted a token that is valid for every configuration
   * @throws InvalidInputError when method or URL are not those of a request
   */
  evaluate(request: RecordedRequest, nowMs: number, accepted?: string): Verdict;
}

/** A zone with its new side, and its old side if the replay compares. */
export interface ComparedZone {
  readonly id: string;
  readonly name: string;
  readonly now: ZoneSide;
  readonly before: ZoneSide | undefined;
  /** The fields that either side can read. */
  readonly fields: readonly RuleField[];
  /** The fields in which either side searches for tokens. */
  readonly sources: readonly RuleField[];
}

const acceptedCheck: TokenCheck = Object.freeze({ reason: "valid" });

const emptyInput: ZoneInput = { configs: [], rules: [] };

/** Compiles the zones. A zone that one side lacks has no rules there. @throws InvalidInputError for an invalid zone */
export function compileZones(
  zones: readonly ReplayZone[],
  against: readonly ReplayZone[] | undefined,
  settings: ReplaySettings = profiles.spec,
): readonly ComparedZone[] {
  const others = against?.filter((old) => !zones.some((zone) => isSame(zone, old))) ?? [];
  const all = [...zones, ...others.map((old) => ({ ...old, input: emptyInput }))];
  return all.map((zone) => {
    const now = compileSide(zone.input, settings);
    const old = against?.find((candidate) => isSame(zone, candidate))?.input ?? emptyInput;
    const before = against && compileSide(old, settings);
    const sides = before ? [now, before] : [now];
    return {
      id: zone.id,
      name: zone.name ?? zone.id,
      now,
      before,
      fields: unique(sides.flatMap(({ read }) => [...fieldsOfZone(read), ...customFieldsOf(read)])),
      sources: unique(sides.flatMap(sourcesOf)),
    };
  });
}

function isSame(left: ReplayZone, right: ReplayZone): boolean {
  return left.id === right.id || (left.name !== undefined && left.name === right.name);
}

function sourcesOf({ read }: ZoneSide): RuleField[] {
  return read.configs.flatMap(({ sources }) => sources.map(sourceField));
}

function unique(fields: readonly RuleField[]): readonly RuleField[] {
  return [...new Map(fields.map((field) => [field.key, field])).values()];
}

function compileSide(input: ZoneInput, settings: ReplaySettings): ZoneSide {
  const { precedence, clockToleranceSeconds, headerCase } = settings;
  const result = readZone(input, { headerCase });
  if (!result.ok) throw new InvalidInputError("The zone cannot be compiled", result.problems);
  const read = result.value;
  let time = 0;
  let valid: string | undefined;
  const evaluate = compileWith(read, { precedence, clock: () => time }, ({ keys }) => {
    const checker = createTrafficChecker(keys, { clockToleranceSeconds });
    return { check: (token, nowMs) => (token === valid ? acceptedCheck : checker.check(token, nowMs)) };
  });
  return {
    read,
    dependencies: createDependencies(read),
    ruleIds: new Set(read.rules.map(({ rule }) => rule.id)),
    customIds: new Set(read.custom && customRuleIds(read.custom).map((id) => id.toLowerCase())),
    operationIds: new Set((read.operations ?? []).map(({ operation }) => operation.operation_id)),
    evaluate: ({ method, url, headers, given }, nowMs, accepted) => {
      time = nowMs;
      valid = accepted;
      return evaluate(
        read.custom === undefined ? { method, url, headers } : { method, url, headers, ...given },
      );
    },
  };
}

/** Maximum number of hosts whose zone is remembered (`chosen`). */
const maxHosts = 10_000;

/**
 * Finds the zone of a request: the selected one, else by the zone name of the record, else by its host.
 *
 * @param selected id of the zone of every request
 */
export function createZoneFinder(
  zones: readonly ComparedZone[],
  selected?: string,
): (request: RecordedRequest) => ComparedZone | undefined {
  const only = zones.find(({ id }) => id === selected);
  if (selected !== undefined) return () => only;
  const byName = new Map(zones.map((zone) => [zone.name, zone]));
  const zoneOfHost = createZoneOfHost(zones);
  const byHost = new Map<string, ComparedZone | undefined>();
  return ({ url, zoneName }) => {
    const named = zoneName === undefined ? undefined : byName.get(zoneName);
    if (named !== undefined) return named;
    const host = readTarget(url)?.host ?? "";
    if (byHost.has(host)) return byHost.get(host);
    if (byHost.size >= maxHosts) byHost.clear();
    const found = zoneOfHost(host);
    byHost.set(host, found);
    return found;
  };
}
