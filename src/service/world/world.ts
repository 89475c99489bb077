/** Reads and validates a world. */
import { type CodedDiagnostic, InvalidInputError, pointer, problem, quote } from "../../errors.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import { parseWorld } from "./parse.ts";
import type { ParsedWorld, ValidatedPart, WorldPart } from "./part.ts";
import type { World } from "./schema.ts";
import { applicationsPart } from "./seeds/applications.ts";
import { brandPart } from "./seeds/brand.ts";
import { imagesPart } from "./seeds/images.ts";
import { logosPart } from "./seeds/logos.ts";
import { proxyPart } from "./seeds/proxy.ts";
import { tokensPart } from "./seeds/tokens.ts";
import { uploadsPart } from "./seeds/uploads.ts";

/** In this order: images need the account of image hosting, applications the facts about accounts and zones. */
const parts: readonly WorldPart[] = [
  tokensPart,
  brandPart,
  logosPart,
  imagesPart,
  uploadsPart,
  proxyPart,
  applicationsPart,
];

/** A valid world, ready to be applied to a store. */
export interface PreparedWorld {
  readonly world: ParsedWorld;
  /** What was ignored, one line each. */
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
  return [
    ...repeated(
      accounts.map((a) => a.id),
      (i) => pointer("accounts", i, "id"),
    ),
    ...repeated(
      zones.map((z) => z.id),
      (i) => pointer("zones", i, "id"),
    ),
    ...repeated(
      zones.map((z) => z.name ?? z.id),
      (i) => pointer("zones", i, "name"),
    ),
    ...repeated(
      api_tokens.map((t) => t.token),
      (i) => pointer("api_tokens", i, "token"),
      // The message does not repeat a secret.
      () => "The token",
    ),
  ];
}

function repeated(
  values: readonly string[],
  at: (index: number) => string,
  name: (value: string) => string = quote,
): CodedDiagnostic[] {
  const seen = new Map<string, number>();
  return values.flatMap((value, i) => {
    const first = seen.get(value);
    if (first === undefined) seen.set(value, i);
    if (first === undefined) return [];
    return [
      problem(
        genericCodes.shared.invalid,
        `${name(value)} is already used at \`${at(first)}\`; it must be unique.`,
        at(i),
      ),
    ];
  });
}

function unknownAccounts({ accounts, zones = [] }: ParsedWorld): CodedDiagnostic[] {
  const known = accounts?.map((a) => a.id);
  return zones.flatMap(({ account_id: id }, i) => {
    if (id === undefined || !known || known.includes(id)) return [];
    const message = `There is no account ${quote(id)}; the accounts are ${known.map(quote).join(", ")}.`;
    return [problem(genericCodes.shared.invalid, message, pointer("zones", i, "account_id"))];
  });
}
