/** Leaves the invalid parts out of a world, so that a faulty resource does not block the engines that do not need it. */
import { addTo } from "../../core/groups.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { type Result, success } from "../../core/result.ts";
import { type CodedDiagnostic, pointer } from "../../errors.ts";
import { parseWorld, type WorldReading } from "./parse.ts";
import { withLists } from "./response-members.ts";
import type { World } from "./schema.ts";

/** Receives a part of a world that is left out: its RFC 6901 pointer, and what is wrong with it. */
export type OnLeftOut = (pointer: string, problems: readonly CodedDiagnostic[]) => void;

/**
 * The parts that can be missing without another answer about the rest; the first that contains a problem is left out.
 * Ids, names of zones, API tokens and unknown members of zones are in none: every answer could depend on them.
 */
const parts: readonly RegExp[] = [
  /^\/zones\/\d+\/(?:token_validation|rulesets)(?=\/|$)/,
  /^\/zones\/\d+\/proxy\/applications\/\d+(?=\/|$)/,
  /^\/zones\/\d+\/proxy(?=\/|$)/,
  /^\/accounts\/\d+\/images\/(?:images|variants|signing_keys)\/\d+(?=\/|$)/,
  /^\/accounts\/\d+\/images\/config(?=\/|$)/,
  /^\/accounts\/\d+\/brand\/(?:queries|logo_queries|scans|observed)\/\d+(?=\/|$)/,
  // A list that is left out is unknown to the rules that name it.
  /^\/accounts\/\d+\/lists\/\d+(?=\/|$)/,
  /^\/accounts\/\d+\/(?!id(?:\/|$))[^/]+/,
  /^\/orphaned_edge_ips\/\d+$/,
];

/** A world from which invalid parts are left out, one after the other. */
export interface ValidParts {
  /** The world without the parts that were left out. */
  world(): World;
  /** Leaves out the parts with problems of `world()`. @returns false when a problem is in no such part */
  leaveOut(problems: readonly CodedDiagnostic[]): boolean;
}

/**
 * @param onLeftOut receives pointers into `given`
 * @param patterns the parts that can be left out
 */
export function createValidParts(given: World, onLeftOut: OnLeftOut, patterns = parts): ValidParts {
  const input = withLists(given);
  const left = new Set<string>();
  return {
    world: () => without(input, "", left) as World,
    leaveOut: (problems) => {
      const found = new Map<string, CodedDiagnostic[]>();
      for (const problem of problems) {
        // That there are more problems than are listed.
        if (problem.pointer === undefined) continue;
        const at = originalPointer(problem.pointer, left);
        const part = patterns.map((pattern) => pattern.exec(at)?.[0]).find((match) => match !== undefined);
        if (part === undefined || left.has(part)) return false;
        addTo(found, part, { ...problem, pointer: at });
      }
      for (const [part, own] of found) {
        left.add(part);
        onLeftOut(part, own);
      }
      return found.size > 0;
    },
  };
}

/** The value without the parts, which are given by their pointers. */
function without(value: unknown, at: string, left: ReadonlySet<string>): unknown {
  if (![...left].some((part) => part.startsWith(`${at}/`))) return value;
  const kept = (entries: readonly (readonly [string, unknown])[]) =>
    entries.flatMap(([name, inner]) => {
      const innerAt = at + pointer(name);
      return left.has(innerAt) ? [] : [[name, without(inner, innerAt, left)] as const];
    });
  if (Array.isArray(value))
    return kept(value.map((inner, i) => [String(i), inner])).map(([, inner]) => inner);
  return isJsonObject(value) ? Object.fromEntries(kept(Object.entries(value))) : value;
}

/** The pointer into the whole world of a pointer into a world without parts, whose elements have other indices. */
function originalPointer(at: string, left: ReadonlySet<string>): string {
  return at
    .split("/")
    .slice(1)
    .reduce((above, name) => {
      return `${above}/${/^\d+$/.test(name) ? originalIndex(above, Number(name), left) : name}`;
    }, "");
}

function originalIndex(list: string, index: number, left: ReadonlySet<string>): number {
  let original = 0;
  for (let kept = 0; ; original++) {
    if (left.has(`${list}/${original}`)) continue;
    if (kept++ === index) return original;
  }
}

/** Parses the valid parts of a value as a world; fails when a problem is in no part that can be left out. */
export function parseValidParts(input: unknown, onLeftOut: OnLeftOut): Result<WorldReading> {
  return parseParts(createValidParts(input as World, onLeftOut));
}

function parseParts(valid: ValidParts): Result<WorldReading> {
  for (;;) {
    const parsed = parseWorld(valid.world());
    if (parsed.ok || !valid.leaveOut(parsed.problems)) return parsed;
  }
}

/** The areas of zones and accounts. */
const areas = [/^\/(?:zones|accounts)\/\d+\/(?:token_validation|rulesets|lists|proxy|brand|images)(?=\/|$)/];

/** The valid areas of a world. */
export interface ValidAreas extends WorldReading {
  /** The world as it was written, without invalid areas: pointers into it are pointers into the whole world. */
  readonly value: World;
  /** Mismatches with the schema. */
  readonly problems: readonly CodedDiagnostic[];
}

/** Parses the areas of a world that are valid; fails when a problem is in no area of a zone or an account. */
export function parseValidAreas(input: unknown): Result<ValidAreas> {
  const problems: CodedDiagnostic[] = [];
  const valid = createValidParts(input as World, (_, own) => problems.push(...own), areas);
  const parsed = parseParts(valid);
  return parsed.ok ? success({ ...parsed.value, value: valid.world(), problems }) : parsed;
}

/** A zone or an account, by its index in the world. */
export interface RulesOwner {
  readonly owners: "zones" | "accounts";
  readonly index: number;
}

/** Whose requests cannot be evaluated without a part; undefined for a part without rules. */
export function ownerOfRules(part: string): RulesOwner | undefined {
  const zone = /^\/zones\/(\d+)\/(?:token_validation|rulesets)$/.exec(part)?.[1];
  if (zone !== undefined) return { owners: "zones", index: Number(zone) };
  const account = /^\/accounts\/(\d+)\/rulesets$/.exec(part)?.[1];
  return account === undefined ? undefined : { owners: "accounts", index: Number(account) };
}
