/** Checks a world: the schema, after response members and aliases were read, then areas as their endpoints do. */
import { type Profile, profiles } from "../../core/profiles.ts";
import { type Result, success } from "../../core/result.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../errors.ts";
import { type CheckContext, genericCodes } from "../context.ts";
import { resolveLimits } from "../limits.ts";
import { resolveSettings } from "../settings.ts";
import type { ParsedWorld, WorldCheck } from "./part.ts";
import { repeated } from "./repeated.ts";
import { parseValidAreas, type ValidAreas } from "./valid-parts.ts";

/** The check of each area. */
export type AreaChecks = typeof import("./checks/all-checks.ts").allChecks;

/** The name of an area. */
export type AreaName = keyof AreaChecks;

/** The contents of each area, ready to be stored. */
export type CheckedAreas = {
  readonly [Area in AreaName]: AreaChecks[Area] extends WorldCheck<infer Value> ? Value : never;
};

/** A world with everything that its checks found. */
export interface CheckedWorld<Areas = CheckedAreas> extends ValidAreas {
  /** The contents of the valid areas; complete when there are no problems. */
  readonly areas: Areas;
}

/** The settings and limits of a profile, for a world that is checked without a simulator. */
export function profileContext(profile: Profile): CheckContext {
  return { settings: resolveSettings(profile, {}), limits: resolveLimits({}, profile) };
}

/** The profile of a value that may be a world. */
export function profileOf(world: unknown): Profile | undefined {
  const profile = (world as { readonly profile?: unknown } | null | undefined)?.profile;
  return typeof profile === "string" && Object.hasOwn(profiles, profile) ? (profile as Profile) : undefined;
}

/**
 * Checks a value as a world. All problems that need neither a store nor the pixels of a picture are found at once, with
 * pointers into the value; an area of a zone or an account that does not match the schema is checked no further. Fails
 * when a mismatch is in no such area.
 *
 * @param checks those of the areas that the world has
 * @param context default: that of the world's profile
 */
export function checkWorldWith(
  checks: Partial<AreaChecks>,
  input: unknown,
  context: CheckContext = contextOf(input),
): Result<CheckedWorld<Partial<CheckedAreas>>> {
  const parsed = parseValidAreas(input);
  if (!parsed.ok) return parsed;
  const { world, problems } = parsed.value;
  const checked = Object.entries(checks).map(([area, check]: [string, WorldCheck<unknown>]) => {
    return [area, check(world, context)] as const;
  });
  const areas = Object.fromEntries(checked.map(([area, { value }]) => [area, value]));
  return success({
    ...parsed.value,
    areas,
    problems: [...problems, ...listProblems(world), ...checked.flatMap(([, found]) => found.problems)],
  });
}

const contextOf = (world: unknown) => profileContext(profileOf(world) ?? "spec");

/** Repeated ids, names and API tokens, and zones of accounts that do not exist. */
function listProblems(world: ParsedWorld): readonly CodedDiagnostic[] {
  return [...duplicates(world), ...unknownAccounts(world)];
}

function duplicates({ accounts = [], zones = [], api_tokens = [] }: ParsedWorld): CodedDiagnostic[] {
  const at = (list: string, member: string) => (index: number) => pointer(list, index, member);
  const tokens = api_tokens.map(({ token }) => token);
  const names = zones.map(({ id, name = id }) => name);
  return [
    ...repeated(idsOf(accounts), at("accounts", "id")),
    ...repeated(idsOf(zones), at("zones", "id")),
    ...repeated(names, at("zones", "name")),
    // The message does not repeat a secret.
    ...repeated(tokens, at("api_tokens", "token"), () => "The token"),
  ];
}

const idsOf = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

function unknownAccounts({ accounts, zones = [] }: ParsedWorld): CodedDiagnostic[] {
  const known = accounts && idsOf(accounts);
  return zones.flatMap(({ account_id: id }, i) => {
    if (id === undefined || !known || known.includes(id)) return [];
    const message = `There is no account ${quote(id)}; the accounts are ${known.map(quote).join(", ")}.`;
    return [problem(genericCodes.shared.invalid, message, pointer("zones", i, "account_id"))];
  });
}
