/** Reads and changes the rulesets of zones and accounts, and the lists of accounts (`observed`). */

import { phases } from "../../../engine/tokens/rulesets/input/phases.ts";
import { quote, quoteText } from "../../../errors.ts";
import { itemPageQuery, rulesetPageQuery } from "../../../schemas/rulesets.ts";
import type { RuleListRecord, RulesetRecord } from "../../../store/records/rulesets.ts";
import { invalid, notFound, requireRecord, requireScope, type ServiceContext } from "../../context.ts";
import { acceptQuery } from "../../query.ts";
import { type CursorPage, type CursorRequest, readCursor } from "./cursor.ts";
import { type RulesetWriter, rulesetWriter } from "./ruleset-writer.ts";
import {
  entryPointOf,
  findLists,
  findRulesets,
  type RulesetOwner,
  rulesetOwners,
} from "./stored-rulesets.ts";
import { type ListWriter, listWriter } from "./write-lists.ts";

const area = "tokens";

/** Use cases of rulesets. Every method rejects with an `ApiError` when there is no such thing. */
export interface RulesetService extends RulesetWriter {
  /** A page of the rulesets of a zone or an account, in order of creation. */
  list(owners: RulesetOwner, owner: string, request?: CursorRequest): Promise<CursorPage<RulesetRecord>>;
  /** A ruleset by its id. */
  get(owners: RulesetOwner, owner: string, id: string): Promise<RulesetRecord>;
  /** The entry point of a phase. */
  entryPoint(owners: RulesetOwner, owner: string, phase: string): Promise<RulesetRecord>;
  /** A version of a ruleset; only the latest is kept (`chosen`). */
  version(owners: RulesetOwner, owner: string, id: string, version: string): Promise<RulesetRecord>;
}

/** Creates the service. */
export function rulesetService(context: ServiceContext): RulesetService {
  const { store } = context;
  const get: RulesetService["get"] = (owners, owner, id) =>
    store.read(async (tx) => {
      await requireScope(tx, area, owners, owner);
      const found = await tx.get(rulesetOwners[owners].collection, owner, id);
      if (!found) throw notFound(area, "ruleset", id);
      return found;
    });
  return {
    ...rulesetWriter(context),
    get,
    list: (owners, owner, request = {}) => {
      const page = readCursor(acceptQuery(rulesetPageQuery, request, area));
      return store.read(async (tx) => {
        await requireScope(tx, area, owners, owner);
        return page(await findRulesets(tx, owners, owner));
      });
    },
    entryPoint: (owners, owner, phase) => {
      if (!phases.includes(phase)) throw invalid(area, `There is no phase ${quoteText(phase)}.`);
      return store.read(async (tx) => {
        await requireScope(tx, area, owners, owner);
        const all = await findRulesets(tx, owners, owner);
        const found = entryPointOf(all, phase);
        if (!found) throw notFound(area, "entry point of the phase", phase);
        return found;
      });
    },
    version: async (owners, owner, id, version) => {
      const found = await get(owners, owner, id);
      if (found.version === version) return found;
      throw notFound(area, `version of the ruleset ${quote(id)}`, version);
    },
  };
}

/** Use cases of lists. Every method rejects with an `ApiError` when there is no such list. */
export interface RuleListService extends ListWriter {
  /** The lists of an account, in order of creation. */
  list(account: string): Promise<readonly RuleListRecord[]>;
  /** A list by its id. */
  get(account: string, id: string): Promise<RuleListRecord>;
  /** A list with a page of its items. */
  items(account: string, id: string, request?: CursorRequest): Promise<ListItems>;
}

/** A page of the items of a list. */
export interface ListItems extends CursorPage<string | number> {
  readonly list: RuleListRecord;
}

/** Creates the service. */
export function ruleListService(context: ServiceContext): RuleListService {
  const { store } = context;
  return {
    ...listWriter(context),
    list: (account) =>
      store.read(async (tx) => {
        await requireScope(tx, area, "accounts", account);
        return findLists(tx, account);
      }),
    get: (account, id) => store.read((tx) => requireRecord(tx, "rule_lists", account, id)),
    items: (account, id, request = {}) => {
      const page = readCursor(acceptQuery(itemPageQuery, request, area));
      return store.read(async (tx) => {
        const list = await requireRecord(tx, "rule_lists", account, id);
        return { list, ...page(list.items) };
      });
    },
  };
}
