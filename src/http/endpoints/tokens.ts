/** Endpoints of token configurations and token validation rules. */

import * as z from "zod";
import { bare, enveloped, paged, pageQuery } from "../../schemas/envelope.ts";
import {
  configCreate,
  configPatch,
  credentialsPut,
  deletedById,
  editedTokenConfig,
  replacedKeys,
  replacedKeysResult,
  ruleBulkPatch,
  ruleCreate,
  rulePatch,
  ruleQuery,
  tokenConfig,
  tokenRule,
} from "../../schemas/tokens.ts";
import { defaultLimits } from "../../service/limits.ts";
import type { TokenConfigRecord, TokenRuleRecord } from "../../store/records/tokens.ts";
import { many, one } from "../requests/query.ts";
import { envelope } from "../responses/envelope.ts";
import { type Answer, type Call, type Endpoint, endpointsOf } from "./endpoint.ts";

const { get, post, put, patch, remove } = endpointsOf("tokens", "token_validation");
const configs = "/zones/{zone_id}/token_validation/config";
const rules = "/zones/{zone_id}/token_validation/rules";

/** A configuration as in responses. */
export function showConfig(config: TokenConfigRecord) {
  const { scope, sequence, ...shown } = config;
  return shown;
}

/** A rule as in responses. */
export function showRule(rule: TokenRuleRecord) {
  const { scope, position, ...shown } = rule;
  return shown;
}

function paging({ query }: Call) {
  return { page: one(query, "page"), per_page: one(query, "per_page") };
}

function ruleFilter(call: Call) {
  const { query } = call;
  return {
    ...paging(call),
    id: one(query, "id"),
    rule_id: one(query, "rule_id"),
    action: one(query, "action"),
    enabled: one(query, "enabled"),
    host: one(query, "host"),
    hostname: one(query, "hostname"),
    token_configuration: many(query, "token_configuration"),
  };
}

/** The only response without the usual envelope (`spec`); later clients expect the envelope (`observed`). */
async function putCredentials(call: Call<"zone_id" | "config_id">): Promise<Answer> {
  const { zone_id, config_id } = call.params;
  const { tokens } = call.services;
  const keys = await tokens.configs.putCredentials(zone_id, config_id, await call.json(), call.notes);
  if (call.services.settings.envelopes === "everywhere") return { result: { keys } };
  const { errors, messages, success } = envelope(null, call.notes);
  return { bare: { errors, keys, messages, success } };
}

export const tokenEndpoints: readonly Endpoint[] = [
  get({
    id: "tokens.configs.list",
    path: configs,
    summary: "List token configurations",
    query: pageQuery,
    response: paged(z.array(tokenConfig)),
    handle: async (call) => {
      const { items, info } = await call.services.tokens.configs.list(call.params.zone_id, paging(call));
      return { result: items.map(showConfig), info };
    },
  }),
  get({
    id: "tokens.configs.get",
    path: `${configs}/{config_id}`,
    summary: "Get a token configuration",
    response: enveloped(tokenConfig),
    handle: async ({ services, params }) => ({
      result: showConfig(await services.tokens.configs.get(params.zone_id, params.config_id)),
    }),
  }),
  post({
    id: "tokens.configs.create",
    path: configs,
    summary: "Create a token configuration",
    request: configCreate,
    response: enveloped(tokenConfig),
    handle: async (call) => {
      const body = await call.json();
      const config = await call.services.tokens.configs.create(call.params.zone_id, body, call.notes);
      return { result: showConfig(config) };
    },
  }),
  patch({
    id: "tokens.configs.edit",
    path: `${configs}/{config_id}`,
    summary: "Edit a token configuration",
    request: configPatch,
    response: enveloped(editedTokenConfig),
    handle: async (call) => {
      const { zone_id, config_id } = call.params;
      const body = await call.json();
      const config = await call.services.tokens.configs.edit(zone_id, config_id, body, call.notes);
      const { id, title, description, token_sources } = config;
      return { result: { id, title, description, token_sources } };
    },
  }),
  remove({
    id: "tokens.configs.delete",
    path: `${configs}/{config_id}`,
    summary: "Delete a token configuration",
    response: enveloped(deletedById),
    handle: async ({ services, params }) => {
      await services.tokens.configs.delete(params.zone_id, params.config_id);
      return { result: { id: params.config_id.toLowerCase() } };
    },
  }),
  put({
    id: "tokens.configs.credentials",
    path: `${configs}/{config_id}/credentials`,
    summary: "Replace the keys of a token configuration",
    request: credentialsPut,
    response: bare(replacedKeys),
    responseEverywhere: enveloped(replacedKeysResult),
    handle: putCredentials,
  }),
  get({
    id: "tokens.rules.list",
    path: rules,
    summary: "List token validation rules",
    query: ruleQuery,
    response: paged(z.array(tokenRule)),
    handle: async (call) => {
      const { items, info } = await call.services.tokens.rules.list(call.params.zone_id, ruleFilter(call));
      return { result: items.map(showRule), info };
    },
  }),
  post({
    id: "tokens.rules.create",
    path: rules,
    summary: "Create a token validation rule",
    request: ruleCreate,
    response: enveloped(tokenRule),
    handle: async (call) => {
      const body = await call.json();
      return {
        result: showRule(await call.services.tokens.rules.create(call.params.zone_id, body, call.notes)),
      };
    },
  }),
  post({
    id: "tokens.rules.bulkCreate",
    path: `${rules}/bulk`,
    summary: "Create token validation rules, all or none",
    request: z.array(ruleCreate).meta({ maxItems: defaultLimits.bulkRules }),
    response: enveloped(z.array(tokenRule)),
    handle: async (call) => {
      const body = await call.json();
      const created = await call.services.tokens.rules.createMany(call.params.zone_id, body, call.notes);
      return { result: created.map(showRule) };
    },
  }),
  patch({
    id: "tokens.rules.bulkEdit",
    path: `${rules}/bulk`,
    summary: "Edit token validation rules, all or none",
    request: z.array(ruleBulkPatch).meta({ maxItems: defaultLimits.bulkRules }),
    response: enveloped(z.array(tokenRule)),
    handle: async (call) => {
      const body = await call.json();
      const edited = await call.services.tokens.rules.editMany(call.params.zone_id, body, call.notes);
      return { result: edited.map(showRule) };
    },
  }),
  get({
    id: "tokens.rules.get",
    path: `${rules}/{rule_id}`,
    summary: "Get a token validation rule",
    response: enveloped(tokenRule),
    handle: async ({ services, params }) => ({
      result: showRule(await services.tokens.rules.get(params.zone_id, params.rule_id)),
    }),
  }),
  patch({
    id: "tokens.rules.edit",
    path: `${rules}/{rule_id}`,
    summary: "Edit a token validation rule",
    request: rulePatch,
    response: enveloped(tokenRule),
    handle: async (call) => {
      const { zone_id, rule_id } = call.params;
      const body = await call.json();
      return { result: showRule(await call.services.tokens.rules.edit(zone_id, rule_id, body, call.notes)) };
    },
  }),
  remove({
    id: "tokens.rules.delete",
    path: `${rules}/{rule_id}`,
    summary: "Delete a token validation rule",
    response: enveloped(deletedById),
    handle: async ({ services, params }) => {
      await services.tokens.rules.delete(params.zone_id, params.rule_id);
      return { result: { id: params.rule_id.toLowerCase() } };
    },
  }),
];
