/** API tokens of the store: they follow the list of the world. */
import { InvalidInputError, problem, quote } from "../../errors.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { type ApiTokenRecord, noTokenLeft, worldScope } from "../../store/records/world.ts";
import { genericCodes } from "../context.ts";
import { keptLine } from "./lists.ts";
import type { ParsedWorld } from "./part.ts";
import { describeChanges } from "./report.ts";

/** How the API tokens are applied. */
export interface TokenOptions {
  /** Whether a store without API tokens accepts every token again, although it had some. */
  readonly anyToken: boolean;
  /** Whether a missing list is reported. */
  readonly hasWorld: boolean;
  /** Whether API tokens that the list does not have stay. */
  readonly adds: boolean;
  readonly note: (line: string) => void;
}

/**
 * Applies the list of API tokens; without a list those of the store stay. A list that becomes empty leaves a record, by
 * which every token is rejected.
 *
 * @throws {InvalidInputError} when every token shall be accepted, but the store has API tokens
 */
export async function applyApiTokens(
  tx: WriteTransaction,
  { api_tokens }: ParsedWorld,
  { anyToken, hasWorld, adds, note }: TokenOptions,
): Promise<void> {
  const stored = await tx.find("api_tokens", worldScope);
  const before = stored.filter(({ id }) => id !== noTokenLeft);
  const wanted = api_tokens?.map(recordOf);
  const left = wanted ? await applyTokens(tx, before, wanted, { adds, note }) : before.length;
  if (!api_tokens && hasWorld && !adds && left > 0) note(keptLine("api_tokens", left));
  const wasEmpty = stored.length > before.length;
  if (anyToken) {
    assertNone(left);
    if (wasEmpty || before.length > 0) note("every token is accepted again");
  }
  const isEmpty = left === 0 && stored.length > 0 && !anyToken;
  if (isEmpty && !wasEmpty) await tx.insert("api_tokens", emptyList);
  if (!isEmpty && wasEmpty) await tx.delete("api_tokens", worldScope, noTokenLeft);
  if (isEmpty) note("no API token is left; every token is rejected until `--any-token` (`anyToken`) is set");
}

const emptyList: ApiTokenRecord = {
  scope: worldScope,
  id: noTokenLeft,
  name: "no API token is left",
  permissions: [],
  zones: [],
  accounts: [],
};

function assertNone(count: number): void {
  if (count === 0) return;
  const message = `\`anyToken\` needs a store without API tokens; it has ${count}. Remove them with \`"api_tokens": []\` in the world file.`;
  throw new InvalidInputError("every token cannot be accepted", [
    problem(genericCodes.shared.invalid, message),
  ]);
}

function recordOf(token: NonNullable<ParsedWorld["api_tokens"]>[number]): ApiTokenRecord {
  const { name = "", permissions } = token;
  const { zones = null, accounts = null } = token;
  return { scope: worldScope, id: token.token, name, permissions, zones, accounts };
}

/** @returns the number of tokens that are left */
async function applyTokens(
  tx: WriteTransaction,
  before: readonly ApiTokenRecord[],
  wanted: readonly ApiTokenRecord[],
  { adds, note }: Pick<TokenOptions, "adds" | "note">,
): Promise<number> {
  const known = new Map(before.map((record) => [record.id, record]));
  const ids = new Set(wanted.map(({ id }) => id));
  const others = before.filter(({ id }) => !ids.has(id));
  for (const record of adds ? [] : others) {
    await tx.delete("api_tokens", worldScope, record.id);
    note(`removed ${describeToken(record)}`);
  }
  for (const record of wanted) {
    const old = known.get(record.id);
    const changes = old ? describeChanges(old, record) : "";
    if (!old) await tx.insert("api_tokens", record);
    else if (changes !== "") await tx.replace("api_tokens", record);
    if (!old) note(`added ${describeToken(record)}`);
    else if (changes !== "") note(`changed ${describeToken(old)}: ${changes}`);
  }
  return wanted.length + (adds ? others.length : 0);
}

/** Never its secret. */
function describeToken({ name }: ApiTokenRecord): string {
  return name === "" ? "an API token without a name" : `API token ${quote(name)}`;
}
