/** Endpoints of zones and their operations, read-only (`observed`): what a client reads first to find everything else. */

import * as z from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Operation } from "../../engine/tokens/model.ts";
import { note, quote } from "../../errors.ts";
import { enveloped, paged } from "../../schemas/envelope.ts";
import { operation, operationQuery } from "../../schemas/tokens.ts";
import {
  urlNormalization,
  type ZoneSettingName,
  zone,
  zoneQuery,
  zoneSetting,
  zoneSettingChange,
  zoneSettingNames,
} from "../../schemas/zones.ts";
import type { ZoneSetting } from "../../service/images/zones/zone-settings.ts";
import type { ZoneWithAccount } from "../../service/zones.ts";
import { anyPermission } from "../requests/authentication.ts";
import { type Answer, type Call, type Endpoint, endpoint, endpointsOf } from "./endpoint.ts";

/** A zone as in responses. Every zone of a world is active (`chosen`). */
function showZone({ id, name, account }: ZoneWithAccount) {
  return { id, name, status: "active", paused: false, type: "full", account };
}

/** An operation as in responses. */
export function showOperation({ operation_id, method, host, endpoint: path }: Operation) {
  return { operation_id, method, host, endpoint: path };
}

async function listZones({ query, services, credential }: Call<never, typeof zoneQuery>): Promise<Answer> {
  const { items, info } = await services.zones.list(credential.mayZone, query);
  return { result: items.map(showZone), info };
}

/** The note of a zone without a list of operations. */
export function noOperations(zone: string): Diagnostic {
  const message = `Zone ${quote(zone)} has no list of operations: each request counts as an operation of its own on its host.`;
  return note("valueNoted", message);
}

async function listOperations(call: Call<"zone_id", typeof operationQuery>): Promise<Answer> {
  const { query, services, params, notes } = call;
  const { items, info, hasList } = await services.tokens.operations.list(params.zone_id, query);
  if (!hasList) notes.push(noOperations(params.zone_id));
  return { result: items.map(showOperation), info };
}

/** A setting as in responses. */
function showSetting({ id, value, modifiedAt }: ZoneSetting) {
  const modified_on = modifiedAt === undefined ? null : new Date(modifiedAt).toISOString();
  return { id, value, editable: true, modified_on };
}

const settings = endpointsOf("shared", "images");

function getSetting(name: ZoneSettingName): Endpoint {
  return settings.get({
    id: `zones.settings.${name}.get`,
    path: `/zones/{zone_id}/settings/${name}`,
    summary: `Get the setting \`${name}\` of a zone`,
    response: enveloped(zoneSetting(name)),
    handle: async ({ services, params: { zone_id } }: Call<"zone_id">) => ({
      result: showSetting(await services.images.zoneSettings.get(zone_id, name)),
    }),
  });
}

function editSetting(name: ZoneSettingName): Endpoint {
  return settings.patch({
    id: `zones.settings.${name}.edit`,
    path: `/zones/{zone_id}/settings/${name}`,
    summary: `Change the setting \`${name}\` of a zone`,
    request: zoneSettingChange(name),
    response: enveloped(zoneSetting(name)),
    handle: async ({ services, params: { zone_id }, json, notes }: Call<"zone_id">) => ({
      result: showSetting(await services.images.zoneSettings.edit(zone_id, name, await json(), notes)),
    }),
  });
}

const normalization = {
  path: "/zones/{zone_id}/url_normalization",
  response: enveloped(urlNormalization),
} as const;
const { get, put, remove } = endpointsOf("tokens", "rulesets");

const normalizationEndpoints: readonly Endpoint[] = [
  get({
    ...normalization,
    id: "zones.url_normalization.get",
    summary: "Get the URL normalization of a zone",
    handle: async ({ services, params: { zone_id } }: Call<"zone_id">) => ({
      result: await services.tokens.urlNormalization.get(zone_id),
    }),
  }),
  put({
    ...normalization,
    id: "zones.url_normalization.replace",
    summary: "Replace the URL normalization of a zone",
    request: urlNormalization,
    handle: async ({ services, params: { zone_id }, json, notes }: Call<"zone_id">) => ({
      result: await services.tokens.urlNormalization.replace(zone_id, await json(), notes),
    }),
  }),
  remove({
    ...normalization,
    id: "zones.url_normalization.reset",
    summary: "Reset the URL normalization of a zone",
    handle: async ({ services, params: { zone_id } }: Call<"zone_id">) => ({
      result: await services.tokens.urlNormalization.reset(zone_id),
    }),
  }),
];

const row = { area: "shared", method: "GET", permission: anyPermission } as const;

export const zoneEndpoints: readonly Endpoint[] = [
  endpoint({
    ...row,
    id: "zones.list",
    path: "/zones",
    summary: "List the zones that the API token may use",
    query: zoneQuery,
    response: paged(z.array(zone)),
    handle: listZones,
  }),
  endpoint({
    ...row,
    id: "zones.get",
    path: "/zones/{zone_id}",
    summary: "Get a zone",
    response: enveloped(zone),
    handle: async ({ services, params }) => ({ result: showZone(await services.zones.get(params.zone_id)) }),
  }),
  endpointsOf("tokens", "token_validation").get({
    id: "tokens.operations.list",
    path: "/zones/{zone_id}/api_gateway/operations",
    summary: "List the operations of a zone",
    query: operationQuery,
    response: paged(z.array(operation)),
    handle: listOperations,
  }),
  ...zoneSettingNames.flatMap((name) => [getSetting(name), editSetting(name)]),
  ...normalizationEndpoints,
];
