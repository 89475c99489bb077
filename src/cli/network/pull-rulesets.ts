/** Reads the custom rules of a zone and its account from the management interface, with the lists that they name. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { customPhase, type RulesetKind } from "../../engine/tokens/rulesets/model.ts";
import { quote } from "../../errors.ts";
import { UsageError } from "../command.ts";
import type { ApiClient } from "./api-client.ts";

/** A zone or an account whose custom rules could not be read. */
export interface UnreadRules {
  readonly owners: "zones" | "accounts";
  readonly id: string;
  /** The kind of its entry point. */
  readonly kind: RulesetKind;
  readonly path: string;
  readonly reason: string;
  /** Whether the token may not read them; else another attempt may succeed. */
  readonly isRejected: boolean;
}

/** Everything that was read. */
export interface PulledRulesets {
  /** Paths with the envelopes of rulesets and lists, which name their owner. */
  readonly documents: readonly { readonly path: string; readonly envelope: JsonObject }[];
  /** Whose rules may not be read. */
  readonly unread: readonly UnreadRules[];
  /** Why lists are unknown, one sentence each. */
  readonly unknownLists: readonly { readonly path: string; readonly message: string }[];
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
  readonly unknownLists: { readonly path: string; readonly message: string }[] = [];
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
    if ("reason" in entry || !isJsonObject(entry.result)) {
      const reason = "reason" in entry ? entry.reason : `expected a ruleset; found ${quote(entry.result)}`;
      const isRejected = "reason" in entry && entry.status === 403;
      this.unread.push({ owners, id, kind, path, reason, isRejected });
      return;
    }
    this.#addRuleset(owners, id, path, entry.result);
    for (const executed of executedIds(entry.result)) {
      const inner = `/${owners}/${id}/rulesets/${executed}`;
      const read = await this.#get(inner);
      if ("result" in read && isJsonObject(read.result)) this.#addRuleset(owners, id, inner, read.result);
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
    if ("reason" in read || !Array.isArray(read.result)) {
      const reason = "reason" in read ? read.reason : `expected lists; found ${quote(read.result)}`;
      this.unknownLists.push({ path, message: `The lists could not be read: ${reason}.` });
      return;
    }
    for (const list of read.result) if (isJsonObject(list)) await this.#readList(account, path, list);
  }

  async #readList(account: string, above: string, list: JsonObject): Promise<void> {
    const { id, name } = list;
    if (typeof id !== "string" || !idPattern.test(id) || !this.#names.has(String(name))) return;
    const path = `${above}/${id}/items`;
    const items: unknown[] = [];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const cursor: string = next === "" ? "" : `?cursor=${encodeURIComponent(next)}`;
      const page: Read = await this.#get(path + cursor);
      if ("reason" in page || !Array.isArray(page.result)) {
        const reason = "reason" in page ? page.reason : `expected items; found ${quote(page.result)}`;
        const message = `The items of the list ${quote(name)} could not be read: ${reason}.`;
        this.unknownLists.push({ path, message });
        return;
      }
      for (const item of page.result) items.push(item);
      next = page.next;
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
