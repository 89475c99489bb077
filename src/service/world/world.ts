/** Reads and validates a world. */
import { type CodedDiagnostic, InvalidInputError, pointer, problem, quote } from "../../errors.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import { parseWorld } from "./parse.ts";
import type { ParsedWorld, ValidatedPart, WorldPart } from "./part.ts";
import { repeated } from "./repeated.ts";
import type { World } from "./schema.ts";
import { applicationsPart } from "./seeds/applications.ts";
import { brandPart } from "./seeds/brand.ts";
import { imagesPart } from "./seeds/images.ts";
import { logosPart } from "./seeds/logos.ts";
import { proxyPart } from "./seeds/proxy.ts";
import { accountRulesetsPart, zoneRulesetsPart } from "./seeds/rulesets.ts";
import { tokensPart } from "./seeds/tokens.ts";
import { uploadsPart } from "./seeds/uploads.ts";
import { zoneSettingsPart } from "./seeds/zone-settings.ts";

/** In this order: images need the account of image hosting, applications the facts about accounts and zones. */
const parts: readonly WorldPart[] = [
  tokensPart,
  accountRulesetsPart,
  zoneRulesetsPart,
  brandPart,
  logosPart,
  imagesPart,
  uploadsPart,
  proxyPart,
  applicationsPart,
  zoneSettingsPart,
];

/** A valid world, ready to be applied to a store. */
export interface PreparedWorld {
  readonly world: ParsedWorld;
  /** Ignored parts, one line each. */
  readonly notes: readonly string[];
  readonly parts: readonly ValidatedPart[];
}

/**
 * Parses and validates a world.
 *
 * @throws {InvalidInputError} with every problem and its pointer
 */
export function prepareWorld(input: World, context: ServiceContext): PreparedWorld {
  const parsed = parseWorld(input);
  if (!parsed.ok) invalidWorld(parsed.problems);
  const { world, notes } = parsed.value;
  const checked = parts.map((part) => part(world, context));
  assertNoProblems([
    ...duplicates(world),
    ...unknownAccounts(world),
    ...checked.flatMap((part) => part.problems),
  ]);
  return { world, notes, parts: checked };
}

function invalidWorld(problems: readonly CodedDiagnostic[]): never {
  throw new InvalidInputError("the world is not valid", problems);
}

/** @throws {InvalidInputError} with the problems, when there are any */
export function assertNoProblems(problems: readonly CodedDiagnostic[]): void {
  if (problems.length > 0) invalidWorld(problems);
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
