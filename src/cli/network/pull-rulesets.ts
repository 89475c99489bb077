/** Reads the custom rules of a zone and its account from the management interface, with the lists that they name. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { customPhase, type RulesetKind } from "../../engine/tokens/rulesets/model.ts";
import { quote } from "../../errors.ts";
import { kindByShape } from "../../import/interface/shapes.ts";
import { UsageError } from "../command.ts";
import type { ApiClient } from "./api-client.ts";

/** Custom rules of a zone or an account that could not be read. */
export interface UnreadRules {
  /** The name of what is missing. */
  readonly part: string;
  readonly owners: "zones" | "accounts";
  readonly id: string;
  /** The kind of its entry point. */
  readonly kind: RulesetKind;
  readonly path: string;
  readonly reason: string;
  /** Whether it is the entry point: the world then has an undecided rule in its place. */
  readonly isEntry: boolean;
}

/** Everything that was read. */
export interface PulledRulesets {
  /** Paths with the envelopes of rulesets and lists, which name their owner. */
  readonly documents: readonly { readonly path: string; readonly envelope: JsonObject }[];
  /** The rules and lists that could not be read. */
  readonly unread: readonly UnreadRules[];
}

/** Maximum number of requests: far above what a zone needs (`chosen`). */
const maxRequests = 500;

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads what may be read. Rules that may not be read are never missing: they are unread. */
export async function pullRulesets(
  client: ApiClient,
  zone: string,
  account: string | undefined,
): Promise<PulledRulesets> {
  const pull = new RulesetsPull(client);
  await pull.readEntry("zones", zone, "zone");
  if (account !== undefined) {
    await pull.readEntry("accounts", account, "root");
    await pull.readLists(account);
  }
  return pull;
}

type Read =
  | { readonly result: unknown; readonly next?: string }
  | { readonly reason: string; readonly status: number };

class RulesetsPull implements PulledRulesets {
  readonly documents: { readonly path: string; readonly envelope: JsonObject }[] = [];
  readonly unread: UnreadRules[] = [];
  readonly #client: ApiClient;
  readonly #names = new Set<string>();
  #requests = 0;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** The entry point, and the rulesets that it executes; one that cannot be read makes its rule undecided. */
  async readEntry(owners: UnreadRules["owners"], id: string, kind: RulesetKind): Promise<void> {
    const path = `/${owners}/${id}/rulesets/phases/${customPhase}/entrypoint`;
    const entry = await this.#get(path);
    // Without an entry point there are no custom rules.
    if ("reason" in entry && entry.status === 404) return;
    const rules = readRuleset(entry);
    const owner = { owners, id, kind };
    if (typeof rules === "string") {
      const part = `custom rules of the ${owners === "zones" ? "zone" : "account"}`;
      this.unread.push({ part, ...owner, path, reason: rules, isEntry: true });
      return;
    }
    this.#addRuleset(owners, id, path, rules);
    for (const executed of executedIds(rules)) {
      const inner = `/${owners}/${id}/rulesets/${executed}`;
      const read = readRuleset(await this.#get(inner));
      if (typeof read !== "string") this.#addRuleset(owners, id, inner, read);
      else {
        const part = `rules of the ruleset ${quote(executed)}`;
        this.unread.push({ part, ...owner, path: inner, reason: read, isEntry: false });
      }
    }
  }

  #addRuleset(owners: UnreadRules["owners"], id: string, path: string, ruleset: JsonObject): void {
    for (const rule of rulesOf(ruleset))
      for (const [, name = ""] of String(rule["expression"]).matchAll(/\$([a-z0-9_.]+)/g))
        this.#names.add(name);
    const owner = owners === "zones" ? { zone_id: id } : { account_id: id };
    this.documents.push({ path, envelope: { success: true, result: { ...ruleset, ...owner } } });
  }

  /** The lists that expressions name. */
  async readLists(account: string): Promise<void> {
    if (this.#names.size === 0) return;
    const path = `/accounts/${account}/rules/lists`;
    const read = await this.#get(path);
    const lists = readObjects(read, "lists");
    if (typeof lists === "string") {
      this.#leaveLists(account, path, "lists", lists);
      return;
    }
    for (const list of lists) await this.#readList(account, path, list);
  }

  /** The custom rules that name the lists are undecided. */
  #leaveLists(account: string, path: string, part: string, reason: string): void {
    this.unread.push({ part, owners: "accounts", id: account, kind: "root", path, reason, isEntry: false });
  }

  async #readList(account: string, above: string, list: JsonObject): Promise<void> {
    const { id, name } = list;
    if (!this.#names.has(String(name))) return;
    const part = `items of the list ${quote(name)}`;
    if (typeof id !== "string" || !idPattern.test(id)) {
      this.#leaveLists(account, above, part, `the list has the id ${quote(id)}`);
      return;
    }
    const path = `${above}/${id}/items`;
    const items: unknown[] = [];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const cursor: string = next === "" ? "" : `?cursor=${encodeURIComponent(next)}`;
      const page: Read = await this.#get(path + cursor);
      const read = readObjects(page, "items");
      if (typeof read === "string") {
        this.#leaveLists(account, path, part, read);
        return;
      }
      items.push(...read);
      next = "next" in page ? page.next : undefined;
    }
    const result = { ...list, num_items: items.length, items, account_id: account };
    this.documents.push({ path, envelope: { success: true, result } });
  }

  async #get(path: string): Promise<Read> {
    if (++this.#requests > maxRequests)
      return { reason: `there were ${maxRequests} requests already`, status: 0 };
    try {
      const answer = await this.#client.get(path);
      if (!answer.ok)
        return {
          reason: `status ${answer.status}, ${answer.message.replace(/\.$/, "")}`,
          status: answer.status,
        };
      return readBody(answer.body);
    } catch (error) {
      if (error instanceof UsageError) return { reason: error.message, status: 0 };
      throw error;
    }
  }
}

/** A ruleset whose rules are objects, or why it could not be read, as a clause. */
function readRuleset(read: Read): JsonObject | string {
  if ("reason" in read) return read.reason;
  const { result } = read;
  if (!isJsonObject(result) || kindByShape(result) !== "ruleset")
    return `expected a ruleset; found ${quote(result)}`;
  const rules = readObjects({ result: result["rules"] ?? [] }, "rules");
  return typeof rules === "string" ? rules : result;
}

function readObjects(read: Read, noun: string): readonly JsonObject[] | string {
  if ("reason" in read) return read.reason;
  const { result } = read;
  return Array.isArray(result) && result.every(isJsonObject)
    ? result
    : `expected ${noun}; found ${quote(Array.isArray(result) ? result.find((element) => !isJsonObject(element)) : result)}`;
}

function readBody(body: unknown): Read {
  const { success, result, result_info: info } = isJsonObject(body) ? body : {};
  if (success === false || result === undefined)
    return { reason: `expected a result; found ${quote(body)}`, status: 0 };
  const cursors = isJsonObject(info) ? info["cursors"] : undefined;
  const next = isJsonObject(cursors) ? cursors["after"] : undefined;
  return { result, ...(typeof next === "string" && next !== "" && { next }) };
}

function rulesOf({ rules }: JsonObject): readonly JsonObject[] {
  return Array.isArray(rules) ? rules.filter(isJsonObject) : [];
}

function executedIds(ruleset: JsonObject): ReadonlySet<string> {
  const ids = rulesOf(ruleset).flatMap(({ action, action_parameters: parameters }) => {
    const id = action === "execute" && isJsonObject(parameters) ? parameters["id"] : undefined;
    return typeof id === "string" && idPattern.test(id) ? [id] : [];
  });
  return new Set(ids);
}
