/** Endpoints of rulesets of zones and accounts, and of the lists of accounts (`observed`). */

import * as z from "zod";
import { quoteText } from "../../errors.ts";
import { cursorPaged, enveloped } from "../../schemas/envelope.ts";
import {
  changeQuery,
  cursorQueryOf,
  deletedList,
  entryPointPut,
  listCreate,
  listEdit,
  listedRuleset,
  listItems,
  listOperation,
  removedItems,
  ruleList,
  ruleListItem,
  ruleset,
  startedOperation,
} from "../../schemas/rulesets.ts";
import { invalid } from "../../service/context.ts";
import type { CursorPage } from "../../service/tokens/rulesets/cursor.ts";
import { itemPages, rulesetPages } from "../../service/tokens/rulesets/rulesets.ts";
import type { RulesetOwner } from "../../service/tokens/rulesets/stored-rulesets.ts";
import { type ItemsChange, idOfItem } from "../../service/tokens/rulesets/write-lists.ts";
import type { CustomRuleRecord, RuleListRecord, RulesetRecord } from "../../store/records/rulesets.ts";
import { one } from "../requests/query.ts";
import { type Call, type Endpoint, endpointsOf } from "./endpoint.ts";

const { get, post, put, remove } = endpointsOf("tokens", "rulesets");

function showListed({ scope, sequence, rules, ...shown }: RulesetRecord) {
  return shown;
}

/** A rule that an import could not read has no expression that is known. */
function showRule({ undecided, ...rule }: CustomRuleRecord) {
  return rule;
}

function showRuleset(record: RulesetRecord) {
  return { ...showListed(record), rules: record.rules.map(showRule) };
}

function showList({ scope, sequence, items, ...shown }: RuleListRecord) {
  return { ...shown, num_items: items.length };
}

function showItem({ id, kind, created_on, modified_on }: RuleListRecord, item: string | number) {
  const value = kind === "hostname" ? { hostname: { url_hostname: item } } : { [kind]: item };
  return { id: idOfItem(id, item), ...value, created_on, modified_on };
}

function infoOf({ after }: CursorPage<unknown>) {
  return { info: { cursors: { ...(after !== undefined && { after }) } } };
}

function pageOf({ query }: Call) {
  return { cursor: one(query, "cursor"), per_page: one(query, "per_page") };
}

const owners = {
  zones: { path: "/zones/{zone_id}/rulesets", noun: "a zone" },
  accounts: { path: "/accounts/{account_id}/rulesets", noun: "an account" },
} as const;

type OwnerCall = Call<"zone_id" | "account_id" | "ruleset_id" | "ruleset_phase" | "ruleset_version">;

function ownerOf(kind: RulesetOwner, { params }: OwnerCall): string {
  return kind === "zones" ? params.zone_id : params.account_id;
}

/** @throws {ApiError} for another word than `true` and `false` */
function readDryRun({ query }: Call): boolean {
  const word = one(query, "dry_run") ?? "false";
  if (word === "true" || word === "false") return word === "true";
  throw invalid("tokens", `\`dry_run\` must be \`true\` or \`false\`; found ${quoteText(word)}.`);
}

/** The endpoints of zones, or those of accounts. */
function rulesetEndpoints<Kind extends RulesetOwner>(kind: Kind): readonly Endpoint[] {
  const { path, noun } = owners[kind];
  return [
    get({
      id: `rulesets.${kind}.list`,
      path,
      summary: `List the rulesets of ${noun}`,
      query: cursorQueryOf(rulesetPages),
      response: cursorPaged(z.array(listedRuleset)),
      handle: async (call: OwnerCall) => {
        const page = await call.services.tokens.rulesets.list(kind, ownerOf(kind, call), pageOf(call));
        return { result: page.items.map(showListed), ...infoOf(page) };
      },
    }),
    get({
      id: `rulesets.${kind}.get`,
      path: `${path}/{ruleset_id}`,
      summary: `Get a ruleset of ${noun}`,
      response: enveloped(ruleset),
      handle: async (call: OwnerCall) => ({
        result: showRuleset(
          await call.services.tokens.rulesets.get(kind, ownerOf(kind, call), call.params.ruleset_id),
        ),
      }),
    }),
    get({
      id: `rulesets.${kind}.entrypoint`,
      path: `${path}/phases/{ruleset_phase}/entrypoint`,
      summary: `Get the entry point of a phase of ${noun}`,
      response: enveloped(ruleset),
      handle: async (call: OwnerCall) => ({
        result: showRuleset(
          await call.services.tokens.rulesets.entryPoint(
            kind,
            ownerOf(kind, call),
            call.params.ruleset_phase,
          ),
        ),
      }),
    }),
    put({
      id: `rulesets.${kind}.replaceEntryPoint`,
      path: `${path}/phases/{ruleset_phase}/entrypoint`,
      summary: `Replace the entry point of a phase of ${noun}`,
      query: changeQuery,
      request: entryPointPut,
      response: enveloped(ruleset.nullable()),
      handle: async (call: OwnerCall) => {
        const dryRun = readDryRun(call);
        const { ruleset_phase: phase } = call.params;
        const options = { dryRun, notes: call.notes };
        const { rulesets } = call.services.tokens;
        const body = await call.json();
        const stored = await rulesets.replaceEntryPoint(kind, ownerOf(kind, call), phase, body, options);
        return { result: dryRun ? null : showRuleset(stored) };
      },
    }),
    get({
      id: `rulesets.${kind}.versions`,
      path: `${path}/{ruleset_id}/versions`,
      summary: `List the versions of a ruleset of ${noun}`,
      response: enveloped(z.array(listedRuleset)),
      handle: async (call: OwnerCall) => ({
        result: [
          showListed(
            await call.services.tokens.rulesets.get(kind, ownerOf(kind, call), call.params.ruleset_id),
          ),
        ],
      }),
    }),
    get({
      id: `rulesets.${kind}.version`,
      path: `${path}/{ruleset_id}/versions/{ruleset_version}`,
      summary: `Get a version of a ruleset of ${noun}`,
      response: enveloped(ruleset),
      handle: async (call: OwnerCall) => ({
        result: showRuleset(
          await call.services.tokens.rulesets.version(
            kind,
            ownerOf(kind, call),
            call.params.ruleset_id,
            call.params.ruleset_version,
          ),
        ),
      }),
    }),
  ];
}

const lists = "/accounts/{account_id}/rules/lists";

type ListCall = Call<"account_id" | "list_id">;

const changesItems = (change: ItemsChange) => async (call: ListCall) => {
  const { account_id, list_id } = call.params;
  const { lists } = call.services.tokens;
  const operation_id = await lists.changeItems(account_id, list_id, change, await call.json(), call.notes);
  return { result: { operation_id } };
};

const listEndpoints: readonly Endpoint[] = [
  post({
    id: "lists.create",
    path: lists,
    summary: "Create a list",
    request: listCreate,
    response: enveloped(ruleList),
    handle: async (call: Call<"account_id">) => ({
      result: showList(
        await call.services.tokens.lists.create(call.params.account_id, await call.json(), call.notes),
      ),
    }),
  }),
  put({
    id: "lists.edit",
    path: `${lists}/{list_id}`,
    summary: "Change the description of a list",
    request: listEdit,
    response: enveloped(ruleList),
    handle: async (call: ListCall) => {
      const { account_id, list_id } = call.params;
      const body = await call.json();
      return {
        result: showList(await call.services.tokens.lists.edit(account_id, list_id, body, call.notes)),
      };
    },
  }),
  remove({
    id: "lists.delete",
    path: `${lists}/{list_id}`,
    summary: "Delete a list",
    response: enveloped(deletedList),
    handle: async ({ services, params }: ListCall) => {
      await services.tokens.lists.delete(params.account_id, params.list_id);
      return { result: { id: params.list_id } };
    },
  }),
  put({
    id: "lists.items.replace",
    path: `${lists}/{list_id}/items`,
    summary: "Replace the items of a list",
    request: listItems,
    response: enveloped(startedOperation),
    handle: changesItems("replace"),
  }),
  post({
    id: "lists.items.append",
    path: `${lists}/{list_id}/items`,
    summary: "Add items to a list",
    request: listItems,
    response: enveloped(startedOperation),
    handle: changesItems("append"),
  }),
  remove({
    id: "lists.items.remove",
    path: `${lists}/{list_id}/items`,
    summary: "Remove items from a list",
    request: removedItems,
    response: enveloped(startedOperation),
    handle: changesItems("remove"),
  }),
  get({
    id: "lists.operation",
    path: `${lists}/bulk_operations/{operation_id}`,
    summary: "Get an operation on items",
    response: enveloped(listOperation),
    handle: async ({ services, params }: Call<"account_id" | "operation_id">) => {
      const { account_id, operation_id: id } = params;
      const completed = await services.tokens.lists.operation(account_id, id);
      return { result: { id, status: "completed", completed } };
    },
  }),
  get({
    id: "lists.list",
    path: lists,
    summary: "List the lists of an account",
    response: enveloped(z.array(ruleList)),
    handle: async ({ services, params }: Call<"account_id">) => ({
      result: (await services.tokens.lists.list(params.account_id)).map(showList),
    }),
  }),
  get({
    id: "lists.get",
    path: `${lists}/{list_id}`,
    summary: "Get a list of an account",
    response: enveloped(ruleList),
    handle: async ({ services, params }: Call<"account_id" | "list_id">) => ({
      result: showList(await services.tokens.lists.get(params.account_id, params.list_id)),
    }),
  }),
  get({
    id: "lists.items",
    path: `${lists}/{list_id}/items`,
    summary: "List the items of a list",
    query: cursorQueryOf(itemPages),
    response: cursorPaged(z.array(ruleListItem)),
    handle: async (call: Call<"account_id" | "list_id">) => {
      const { account_id, list_id } = call.params;
      const page = await call.services.tokens.lists.items(account_id, list_id, pageOf(call));
      const result = page.items.map((item) => showItem(page.list, item));
      return { result, ...infoOf(page) };
    },
  }),
];

export const rulesetsEndpoints: readonly Endpoint[] = [
  ...rulesetEndpoints("zones"),
  ...rulesetEndpoints("accounts"),
  ...listEndpoints,
];
