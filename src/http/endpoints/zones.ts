/** Endpoints of zones and their operations, read-only (`observed`): what a client reads first to find everything else. */

import * as z from "zod";
import { note, quote } from "../../errors.ts";
import { enveloped, paged } from "../../schemas/envelope.ts";
import { operation, operationQuery } from "../../schemas/tokens.ts";
import {
  type ZoneSettingName,
  zone,
  zoneQuery,
  zoneSetting,
  zoneSettingChange,
  zoneSettingNames,
} from "../../schemas/zones.ts";
import type { ZoneSetting } from "../../service/images/zones/zone-settings.ts";
import type { ZoneWithAccount } from "../../service/zones.ts";
import type { OperationRecord } from "../../store/records/tokens.ts";
import { anyPermission } from "../requests/authentication.ts";
import { many, one } from "../requests/query.ts";
import { type Answer, type Call, type Endpoint, endpoint, endpointsOf } from "./endpoint.ts";

/** A zone as in responses. Every zone of a world is active (`chosen`). */
function showZone({ id, name, account }: ZoneWithAccount) {
  return { id, name, status: "active", paused: false, type: "full", account };
}

/** An operation as in responses. */
function showOperation({ operation_id, method, host, endpoint: path }: OperationRecord) {
  return { operation_id, method, host, endpoint: path };
}

async function listZones({ query, services, credential }: Call): Promise<Answer> {
  const request = { page: one(query, "page"), per_page: one(query, "per_page"), name: one(query, "name") };
  const { items, info } = await services.zones.list(credential.mayZone, request);
  return { result: items.map(showZone), info };
}

async function listOperations({ query, services, params, notes }: Call<"zone_id">): Promise<Answer> {
  const { items, info, hasList } = await services.tokens.operations.list(params.zone_id, {
    page: one(query, "page"),
    per_page: one(query, "per_page"),
    host: many(query, "host"),
    method: many(query, "method"),
    endpoint: one(query, "endpoint"),
  });
  if (!hasList) {
    const message = `Zone ${quote(params.zone_id)} has no list of operations: each request counts as an operation of its own on its host.`;
    notes.push(note("valueNoted", message));
  }
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
];
