/** Endpoints of rulesets of zones and accounts, and of the lists of accounts (`observed`). */

import * as z from "zod";
import { cursorPaged, enveloped, noContent } from "../../schemas/envelope.ts";
import type { NoParameters, Parameters } from "../../schemas/parameters.ts";
import {
  changeQuery,
  deletedList,
  itemPageQuery,
  listCreate,
  listEdit,
  listedRuleset,
  listItems,
  listOperation,
  removedItems,
  ruleAdd,
  ruleEdit,
  ruleList,
  ruleListItem,
  ruleset,
  rulesetCreate,
  rulesetPageQuery,
  rulesetPut,
  startedOperation,
} from "../../schemas/rulesets.ts";
import type { CursorPage } from "../../service/tokens/rulesets/cursor.ts";
import type { RulesetWriter } from "../../service/tokens/rulesets/ruleset-writer.ts";
import type { RulesetOwner } from "../../service/tokens/rulesets/stored-rulesets.ts";
import { type ItemsChange, idOfItem } from "../../service/tokens/rulesets/write-lists.ts";
import type { RulesetWriteOptions } from "../../service/tokens/rulesets/write-ruleset.ts";
import type { CustomRuleRecord, RuleListRecord, RulesetRecord } from "../../store/records/rulesets.ts";
import { type Call, type Endpoint, endpointsOf } from "./endpoint.ts";

const { get, post, put, patch, remove } = endpointsOf("tokens", "rulesets");

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
  const next = after !== undefined;
  return { info: { ...(next && { cursor: after }), cursors: { ...(next && { after }) } } };
}

const owners = {
  zones: { path: "/zones/{zone_id}/rulesets", noun: "a zone" },
  accounts: { path: "/accounts/{account_id}/rulesets", noun: "an account" },
} as const;

type OwnerCall<Query extends Parameters = NoParameters> = Call<
  "zone_id" | "account_id" | "ruleset_id" | "ruleset_phase" | "ruleset_version" | "ruleset_rule_id",
  Query
>;

function ownerOf(kind: RulesetOwner, { params }: OwnerCall): string {
  return kind === "zones" ? params.zone_id : params.account_id;
}

function entryPointOf(kind: RulesetOwner, call: OwnerCall): Promise<RulesetRecord> {
  const { services, params } = call;
  return services.tokens.rulesets.entryPoint(kind, ownerOf(kind, call), params.ruleset_phase);
}

type ChangeCall = OwnerCall<typeof changeQuery>;

/** A change of a ruleset that is answered with it; one that is only checked, with null. */
const changesRuleset =
  (
    change: (
      rulesets: RulesetWriter,
      call: ChangeCall,
      options: RulesetWriteOptions,
    ) => Promise<RulesetRecord>,
  ) =>
  async (call: ChangeCall) => {
    const options = { dryRun: call.query.dry_run, notes: call.notes };
    const changed = await change(call.services.tokens.rulesets, call, options);
    return { result: options.dryRun ? null : showRuleset(changed) };
  };

/** The endpoints of zones, or those of accounts. */
function rulesetEndpoints<Kind extends RulesetOwner>(kind: Kind): readonly Endpoint[] {
  const { path, noun } = owners[kind];
  const changed = { query: changeQuery, response: enveloped(ruleset.nullable()) };
  return [
    get({
      id: `rulesets.${kind}.list`,
      path,
      summary: `List the rulesets of ${noun}`,
      query: rulesetPageQuery,
      response: cursorPaged(z.array(listedRuleset)),
      handle: async (call: OwnerCall<typeof rulesetPageQuery>) => {
        const page = await call.services.tokens.rulesets.list(kind, ownerOf(kind, call), call.query);
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
        result: showRuleset(await entryPointOf(kind, call)),
      }),
    }),
    get({
      id: `rulesets.${kind}.entrypoint.versions`,
      path: `${path}/phases/{ruleset_phase}/entrypoint/versions`,
      summary: `List the versions of the entry point of a phase of ${noun}`,
      response: enveloped(z.array(listedRuleset)),
      handle: async (call: OwnerCall) => ({ result: [showListed(await entryPointOf(kind, call))] }),
    }),
    get({
      id: `rulesets.${kind}.entrypoint.version`,
      path: `${path}/phases/{ruleset_phase}/entrypoint/versions/{ruleset_version}`,
      summary: `Get a version of the entry point of a phase of ${noun}`,
      response: enveloped(ruleset),
      handle: async (call: OwnerCall) => {
        const { id } = await entryPointOf(kind, call);
        const { ruleset_version } = call.params;
        const { rulesets } = call.services.tokens;
        return {
          result: showRuleset(await rulesets.version(kind, ownerOf(kind, call), id, ruleset_version)),
        };
      },
    }),
    put({
      id: `rulesets.${kind}.replaceEntryPoint`,
      path: `${path}/phases/{ruleset_phase}/entrypoint`,
      summary: `Replace the entry point of a phase of ${noun}`,
      ...changed,
      request: rulesetPut,
      handle: changesRuleset(async (rulesets, call, options) => {
        const { ruleset_phase } = call.params;
        const body = await call.json();
        return rulesets.replaceEntryPoint(kind, ownerOf(kind, call), ruleset_phase, body, options);
      }),
    }),
    post({
      id: `rulesets.${kind}.create`,
      path,
      summary: `Create a ruleset of ${noun}`,
      ...changed,
      request: rulesetCreate,
      handle: changesRuleset(async (rulesets, call, options) =>
        rulesets.create(kind, ownerOf(kind, call), await call.json(), options),
      ),
    }),
    put({
      id: `rulesets.${kind}.replace`,
      path: `${path}/{ruleset_id}`,
      summary: `Replace a ruleset of ${noun}`,
      ...changed,
      request: rulesetPut,
      handle: changesRuleset(async (rulesets, call, options) =>
        rulesets.replace(kind, ownerOf(kind, call), call.params.ruleset_id, await call.json(), options),
      ),
    }),
    remove({
      id: `rulesets.${kind}.delete`,
      path: `${path}/{ruleset_id}`,
      summary: `Delete a ruleset of ${noun}`,
      query: changeQuery,
      response: noContent,
      handle: async (call: ChangeCall) => {
        const options = { dryRun: call.query.dry_run };
        const { ruleset_id } = call.params;
        await call.services.tokens.rulesets.delete(kind, ownerOf(kind, call), ruleset_id, options);
        return new Response(null, { status: 204 });
      },
    }),
    post({
      id: `rulesets.${kind}.rules.create`,
      path: `${path}/{ruleset_id}/rules`,
      summary: `Add a rule to a ruleset of ${noun}`,
      ...changed,
      request: ruleAdd,
      handle: changesRuleset(async (rulesets, call, options) =>
        rulesets.addRule(kind, ownerOf(kind, call), call.params.ruleset_id, await call.json(), options),
      ),
    }),
    patch({
      id: `rulesets.${kind}.rules.edit`,
      path: `${path}/{ruleset_id}/rules/{ruleset_rule_id}`,
      summary: `Edit a rule in a ruleset of ${noun}`,
      ...changed,
      request: ruleEdit,
      handle: changesRuleset(async (rulesets, call, options) => {
        const { ruleset_id, ruleset_rule_id } = call.params;
        const body = await call.json();
        return rulesets.editRule(kind, ownerOf(kind, call), ruleset_id, ruleset_rule_id, body, options);
      }),
    }),
    remove({
      id: `rulesets.${kind}.rules.delete`,
      path: `${path}/{ruleset_id}/rules/{ruleset_rule_id}`,
      summary: `Remove a rule from a ruleset of ${noun}`,
      ...changed,
      handle: changesRuleset((rulesets, call, options) => {
        const { ruleset_id, ruleset_rule_id } = call.params;
        return rulesets.deleteRule(kind, ownerOf(kind, call), ruleset_id, ruleset_rule_id, options);
      }),
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

type ListCall<Query extends Parameters = NoParameters> = Call<"account_id" | "list_id", Query>;

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
    query: itemPageQuery,
    response: cursorPaged(z.array(ruleListItem)),
    handle: async ({ services, params, query }: ListCall<typeof itemPageQuery>) => {
      const page = await services.tokens.lists.items(params.account_id, params.list_id, query);
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
