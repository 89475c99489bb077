/** Endpoints of token configurations and token validation rules. */

import { z } from "zod";
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
import type { TokenConfigRecord, TokenRuleRecord } from "../../store/records/tokens.ts";
import { many, one } from "../requests/query.ts";
import { envelope } from "../responses/envelope.ts";
import { type Answer, type Call, type Endpoint, endpoint } from "./endpoint.ts";

const read = "token_validation:read";
const write = "token_validation:write";
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
  endpoint({
    id: "tokens.configs.list",
    area: "tokens",
    method: "GET",
    path: configs,
    summary: "List token configurations",
    permission: read,
    query: pageQuery,
    response: paged(z.array(tokenConfig)),
    handle: async (call) => {
      const { items, info } = await call.services.tokens.configs.list(call.params.zone_id, paging(call));
      return { result: items.map(showConfig), info };
    },
  }),
  endpoint({
    id: "tokens.configs.get",
    area: "tokens",
    method: "GET",
    path: `${configs}/{config_id}`,
    summary: "Get a token configuration",
    permission: read,
    response: enveloped(tokenConfig),
    handle: async ({ services, params }) => ({
      result: showConfig(await services.tokens.configs.get(params.zone_id, params.config_id)),
    }),
  }),
  endpoint({
    id: "tokens.configs.create",
    area: "tokens",
    method: "POST",
    path: configs,
    summary: "Create a token configuration",
    permission: write,
    request: configCreate,
    response: enveloped(tokenConfig),
    handle: async (call) => {
      const body = await call.json();
      const config = await call.services.tokens.configs.create(call.params.zone_id, body, call.notes);
      return { result: showConfig(config) };
    },
  }),
  endpoint({
    id: "tokens.configs.edit",
    area: "tokens",
    method: "PATCH",
    path: `${configs}/{config_id}`,
    summary: "Edit a token configuration",
    permission: write,
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
  endpoint({
    id: "tokens.configs.delete",
    area: "tokens",
    method: "DELETE",
    path: `${configs}/{config_id}`,
    summary: "Delete a token configuration",
    permission: write,
    response: enveloped(deletedById),
    handle: async ({ services, params }) => {
      await services.tokens.configs.delete(params.zone_id, params.config_id);
      return { result: { id: params.config_id.toLowerCase() } };
    },
  }),
  endpoint({
    id: "tokens.configs.credentials",
    area: "tokens",
    method: "PUT",
    path: `${configs}/{config_id}/credentials`,
    summary: "Replace the keys of a token configuration",
    permission: write,
    request: credentialsPut,
    response: bare(replacedKeys),
    responseEverywhere: enveloped(replacedKeysResult),
    handle: putCredentials,
  }),
  endpoint({
    id: "tokens.rules.list",
    area: "tokens",
    method: "GET",
    path: rules,
    summary: "List token validation rules",
    permission: read,
    query: ruleQuery,
    response: paged(z.array(tokenRule)),
    handle: async (call) => {
      const { items, info } = await call.services.tokens.rules.list(call.params.zone_id, ruleFilter(call));
      return { result: items.map(showRule), info };
    },
  }),
  endpoint({
    id: "tokens.rules.create",
    area: "tokens",
    method: "POST",
    path: rules,
    summary: "Create a token validation rule",
    permission: write,
    request: ruleCreate,
    response: enveloped(tokenRule),
    handle: async (call) => {
      const body = await call.json();
      return {
        result: showRule(await call.services.tokens.rules.create(call.params.zone_id, body, call.notes)),
      };
    },
  }),
  endpoint({
    id: "tokens.rules.bulkCreate",
    area: "tokens",
    method: "POST",
    path: `${rules}/bulk`,
    summary: "Create token validation rules, all or none",
    permission: write,
    request: z.array(ruleCreate),
    response: enveloped(z.array(tokenRule)),
    handle: async (call) => {
      const body = await call.json();
      const created = await call.services.tokens.rules.createMany(call.params.zone_id, body, call.notes);
      return { result: created.map(showRule) };
    },
  }),
  endpoint({
    id: "tokens.rules.bulkEdit",
    area: "tokens",
    method: "PATCH",
    path: `${rules}/bulk`,
    summary: "Edit token validation rules, all or none",
    permission: write,
    request: z.array(ruleBulkPatch),
    response: enveloped(z.array(tokenRule)),
    handle: async (call) => {
      const body = await call.json();
      const edited = await call.services.tokens.rules.editMany(call.params.zone_id, body, call.notes);
      return { result: edited.map(showRule) };
    },
  }),
  endpoint({
    id: "tokens.rules.get",
    area: "tokens",
    method: "GET",
    path: `${rules}/{rule_id}`,
    summary: "Get a token validation rule",
    permission: read,
    response: enveloped(tokenRule),
    handle: async ({ services, params }) => ({
      result: showRule(await services.tokens.rules.get(params.zone_id, params.rule_id)),
    }),
  }),
  endpoint({
    id: "tokens.rules.edit",
    area: "tokens",
    method: "PATCH",
    path: `${rules}/{rule_id}`,
    summary: "Edit a token validation rule",
    permission: write,
    request: rulePatch,
    response: enveloped(tokenRule),
    handle: async (call) => {
      const { zone_id, rule_id } = call.params;
      const body = await call.json();
      return { result: showRule(await call.services.tokens.rules.edit(zone_id, rule_id, body, call.notes)) };
    },
  }),
  endpoint({
    id: "tokens.rules.delete",
    area: "tokens",
    method: "DELETE",
    path: `${rules}/{rule_id}`,
    summary: "Delete a token validation rule",
    permission: write,
    response: enveloped(deletedById),
    handle: async ({ services, params }) => {
      await services.tokens.rules.delete(params.zone_id, params.rule_id);
      return { result: { id: params.rule_id.toLowerCase() } };
    },
  }),
];
