/** Reads a world, and seeds a store with it. */
import { InvalidInputError, type Problem, pointer, quote } from "../../errors.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { worldScope } from "../../store/records/world.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import { problemsOf } from "../decode.ts";
import type { ParsedWorld, ValidatedPart, WorldPart } from "./part.ts";
import { type World, worldSchema } from "./schema.ts";
import { brandPart } from "./seed-brand.ts";
import { imagesPart } from "./seed-images.ts";
import { logosPart } from "./seed-logos.ts";
import { proxyPart } from "./seed-proxy.ts";
import { tokensPart } from "./seed-tokens.ts";

/** One part an area. */
const parts: readonly WorldPart[] = [tokensPart, brandPart, logosPart, imagesPart, proxyPart];

/** A world that was found to be right as a whole, ready to be stored. */
export interface PreparedWorld {
  readonly world: ParsedWorld;
  readonly parts: readonly ValidatedPart[];
}

/** The account of zones that name none, when there is not just one account. */
const defaultAccount = "default";

/**
 * Reads and checks a world.
 *
 * @throws {InvalidInputError} with every problem and its pointer
 */
export function prepareWorld(input: World, context: ServiceContext): PreparedWorld {
  const parsed = worldSchema.safeParse(input, { reportInput: true });
  if (!parsed.success) refuse(parsed.error.issues.flatMap((issue) => problemsOf(issue, "shared", "")));
  const world = parsed.data!;
  const checked = parts.map((part) => part(world, context));
  refuse([...duplicates(world), ...unknownAccounts(world), ...checked.flatMap((part) => part.problems)]);
  return { world, parts: checked };
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new InvalidInputError("the world is not valid", problems);
}

function duplicates({ accounts = [], zones = [], api_tokens = [] }: ParsedWorld): Problem[] {
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
      // A secret: it is not said again.
      () => "The token",
    ),
  ];
}

function repeated(
  values: readonly string[],
  at: (index: number) => string,
  name: (value: string) => string = quote,
): Problem[] {
  const seen = new Map<string, number>();
  return values.flatMap((value, i) => {
    const first = seen.get(value);
    if (first === undefined) seen.set(value, i);
    if (first === undefined) return [];
    return [
      {
        code: genericCodes.shared.invalid,
        pointer: at(i),
        message: `${name(value)} stands at ${at(first)} already.`,
      },
    ];
  });
}

function unknownAccounts({ accounts, zones = [] }: ParsedWorld): Problem[] {
  const known = accounts?.map((a) => a.id);
  return zones.flatMap(({ account_id: id }, i) => {
    if (id === undefined || !known || known.includes(id)) return [];
    const message = `There is no account ${quote(id)}; the accounts are ${known.map(quote).join(", ")}.`;
    return [{ code: genericCodes.shared.invalid, pointer: pointer("zones", i, "account_id"), message }];
  });
}

/**
 * Stores what the store does not have yet: a zone or an account that is there stays as it is.
 *
 * @throws {InvalidInputError} with problems that only decoding shows
 */
export async function seedWorld(context: ServiceContext, { world, parts }: PreparedWorld): Promise<void> {
  const fresh = await newAccounts(context, world);
  const found: Problem[] = [];
  for (const part of parts) found.push(...((await part.prepare?.(context.store, fresh)) ?? []));
  refuse(found);
  await context.store.write(async (tx) => {
    await seedApiTokens(tx, world);
    for (const part of parts) await part.seedWorld?.(tx);
    for (const { id, name = id } of world.accounts ?? []) {
      if (await tx.get("accounts", worldScope, id)) continue;
      await tx.insert("accounts", { scope: worldScope, id, name });
      for (const part of parts) await part.seedAccount?.(tx, id);
    }
    for (const { id, name = id, account_id = onlyAccount(world) } of world.zones ?? []) {
      if (await tx.get("zones", worldScope, id)) continue;
      await tx.insert("zones", { scope: worldScope, id, name, account_id });
      for (const part of parts) await part.seedZone?.(tx, id);
    }
  });
}

/** Accounts that the store does not have yet. */
async function newAccounts({ store }: ServiceContext, { accounts = [] }: ParsedWorld): Promise<string[]> {
  const ids = accounts.map((account) => account.id);
  const known = await store.read((tx) =>
    tx.find("accounts", worldScope, { where: [{ field: "id", op: "in", value: ids }] }),
  );
  return ids.filter((id) => !known.some((account) => account.id === id));
}

function onlyAccount({ accounts = [] }: ParsedWorld): string {
  return accounts.length === 1 ? accounts[0]!.id : defaultAccount;
}

async function seedApiTokens(tx: WriteTransaction, { api_tokens = [] }: ParsedWorld): Promise<void> {
  await tx.insertMissing(
    "api_tokens",
    api_tokens.map(({ token, name = "", permissions, zones = null, accounts = null }) => {
      return { scope: worldScope, id: token, name, permissions, zones, accounts };
    }),
  );
}
