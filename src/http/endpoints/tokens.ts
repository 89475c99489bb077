/** Endpoints of token configurations and token validation rules. */

import * as z from "zod";
import { bare, enveloped, paged, pageQuery } from "../../schemas/envelope.ts";
import {
  configCreate,
  configPatch,
  credentialsPut,
  deletedById,
  editedTokenConfig,
  previewBody,
  previewQuery,
  replacedKeys,
  replacedKeysResult,
  ruleBulkPatch,
  ruleCreate,
  rulePatch,
  rulePreview,
  ruleQuery,
  tokenConfig,
  tokenRule,
} from "../../schemas/tokens.ts";
import { defaultLimits } from "../../service/limits.ts";
import type { Services } from "../../service/services.ts";
import type { Settings } from "../../service/settings.ts";
import type { ShownConfig } from "../../service/tokens/configs.ts";
import type { TokenRuleRecord } from "../../store/records/tokens.ts";
import { envelope } from "../responses/envelope.ts";
import { type Answer, type Call, type Endpoint, endpoint, endpointsOf } from "./endpoint.ts";
import { noOperations, showOperation } from "./zones.ts";

const { get, post, put, patch, remove } = endpointsOf("tokens", "token_validation");
const configs = "/zones/{zone_id}/token_validation/config";
const rules = "/zones/{zone_id}/token_validation/rules";

/** A configuration as in responses. */
export function showConfig(config: ShownConfig) {
  const { scope, sequence, ...shown } = config;
  return shown;
}

/** A rule as in responses. */
export function showRule(rule: TokenRuleRecord, { ruleAuthors }: Pick<Settings, "ruleAuthors">) {
  const { scope, position, modified_by, ...shown } = rule;
  return ruleAuthors === "shown" && modified_by !== undefined ? { ...shown, modified_by } : shown;
}

function showRules(rules: readonly TokenRuleRecord[], { settings }: Services) {
  return rules.map((rule) => showRule(rule, settings));
}

/** The only responses without the usual envelope (`spec`); later clients expect the envelope (`observed`). */
async function writeCredentials(
  call: Call<"zone_id" | "config_id">,
  method: "putCredentials" | "editCredentials",
): Promise<Answer> {
  const { zone_id, config_id } = call.params;
  const { configs } = call.services.tokens;
  const keys = await configs[method](zone_id, config_id, await call.json(), call.notes);
  if (call.services.settings.envelopes === "everywhere") return { result: { keys } };
  const { errors, messages, success } = envelope(null, call.notes);
  return { bare: { errors, keys, messages, success } };
}

async function previewRule(call: Call<"zone_id", typeof previewQuery>): Promise<Answer> {
  const { query, services, params, notes } = call;
  const body = await call.json();
  const preview = await services.tokens.rules.preview(params.zone_id, body, query, notes);
  if (!preview.hasList) notes.push(noOperations(params.zone_id));
  const result = {
    operations: preview.items.map((operation) => ({
      ...showOperation(operation),
      state: operation.state,
    })),
    available_hosts: preview.availableHosts,
    selected_hosts: preview.selectedHosts,
    ...preview.counts,
    total: preview.total,
  };
  return { result, info: preview.info };
}

export const tokenEndpoints: readonly Endpoint[] = [
  get({
    id: "tokens.configs.list",
    path: configs,
    summary: "List token configurations",
    query: pageQuery,
    response: paged(z.array(tokenConfig)),
    handle: async ({ services, params, query }) => {
      const { items, info } = await services.tokens.configs.list(params.zone_id, query);
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
    handle: (call) => writeCredentials(call, "putCredentials"),
  }),
  patch({
    id: "tokens.configs.editCredentials",
    path: `${configs}/{config_id}/credentials`,
    summary: "Replace the keys of a token configuration, with stored members",
    request: credentialsPut,
    response: bare(replacedKeys),
    responseEverywhere: enveloped(replacedKeysResult),
    handle: (call) => writeCredentials(call, "editCredentials"),
  }),
  get({
    id: "tokens.rules.list",
    path: rules,
    summary: "List token validation rules",
    query: ruleQuery,
    response: paged(z.array(tokenRule)),
    handle: async ({ services, params, query }) => {
      const { items, info } = await services.tokens.rules.list(params.zone_id, query);
      return { result: showRules(items, services), info };
    },
  }),
  post({
    id: "tokens.rules.create",
    path: rules,
    summary: "Create a token validation rule",
    request: ruleCreate,
    response: enveloped(tokenRule),
    handle: async (call) => {
      const { services, params, notes, credential } = call;
      const body = await call.json();
      const rule = await services.tokens.rules.create(params.zone_id, body, notes, credential.name);
      return { result: showRule(rule, services.settings) };
    },
  }),
  post({
    id: "tokens.rules.bulkCreate",
    path: `${rules}/bulk`,
    summary: "Create token validation rules, all or none",
    request: z.array(ruleCreate).meta({ maxItems: defaultLimits.bulkRules }),
    response: enveloped(z.array(tokenRule)),
    handle: async (call) => {
      const { services, params, notes, credential } = call;
      const body = await call.json();
      const created = await services.tokens.rules.createMany(params.zone_id, body, notes, credential.name);
      return { result: showRules(created, services) };
    },
  }),
  patch({
    id: "tokens.rules.bulkEdit",
    path: `${rules}/bulk`,
    summary: "Edit token validation rules, all or none",
    request: z.array(ruleBulkPatch).meta({ maxItems: defaultLimits.bulkRules }),
    response: enveloped(z.array(tokenRule)),
    handle: async (call) => {
      const { services, params, notes, credential } = call;
      const body = await call.json();
      const edited = await services.tokens.rules.editMany(params.zone_id, body, notes, credential.name);
      return { result: showRules(edited, services) };
    },
  }),
  endpoint({
    id: "tokens.rules.preview",
    area: "tokens",
    method: "POST",
    // It changes nothing (`observed`).
    permission: "token_validation:read",
    path: `${rules}/preview`,
    summary: "Preview the operations that a rule selects",
    query: previewQuery,
    request: previewBody,
    response: paged(rulePreview),
    handle: previewRule,
  }),
  get({
    id: "tokens.rules.get",
    path: `${rules}/{rule_id}`,
    summary: "Get a token validation rule",
    response: enveloped(tokenRule),
    handle: async ({ services, params }) => ({
      result: showRule(await services.tokens.rules.get(params.zone_id, params.rule_id), services.settings),
    }),
  }),
  patch({
    id: "tokens.rules.edit",
    path: `${rules}/{rule_id}`,
    summary: "Edit a token validation rule",
    request: rulePatch,
    response: enveloped(tokenRule),
    handle: async (call) => {
      const { services, params, notes, credential } = call;
      const { zone_id, rule_id } = params;
      const body = await call.json();
      const rule = await services.tokens.rules.edit(zone_id, rule_id, body, notes, credential.name);
      return { result: showRule(rule, services.settings) };
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
