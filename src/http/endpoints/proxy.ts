/** Endpoints of proxy applications. POST and PATCH are in the specification; the others are `observed`. */

import * as z from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { ApiError } from "../../errors.ts";
import { enveloped, pagedOnDemand } from "../../schemas/envelope.ts";
import { deletedApp, proxyApp, proxyAppBody, proxyAppChange, proxyAppQuery } from "../../schemas/proxy.ts";
import type { Caller } from "../../service/proxy/apps.ts";
import type { ProxyAppRecord } from "../../store/records/proxy.ts";
import { one } from "../requests/query.ts";
import { renameMember, type WireNames, wireNames } from "../wire-names.ts";
import { type Answer, type Call, type Endpoint, endpointsOf } from "./endpoint.ts";

const { get, post, put, patch, remove } = endpointsOf("proxy", "proxy");
const apps = "/zones/{zone_id}/{app_service}/apps";

/** Internal name of the member, which has another name on the wire with some profiles. */
const internalName = wireNames.spec.smart_routing;

/** An application with the wire's member names. */
function showApp(
  { id, created_on, modified_on, app }: ProxyAppRecord,
  { smart_routing }: WireNames,
): unknown {
  return renameMember({ id, ...app, created_on, modified_on }, internalName, smart_routing);
}

/** The request body with internal member names. An internal name in the request becomes an unknown member. */
async function bodyOf(call: Call): Promise<unknown> {
  const body = await call.json();
  const { smart_routing } = call.wire;
  if (smart_routing === internalName || !isJsonObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [swapName(name, smart_routing), value]),
  );
}

function swapName(name: string, outer: string): string {
  if (name === internalName) return outer;
  return name === outer ? internalName : name;
}

/** A problem or note with the wire's member names. */
function toWire<T extends Diagnostic>(item: T, { smart_routing }: WireNames): T {
  if (smart_routing === internalName) return item;
  const swap = (text: string) =>
    text.replaceAll(/\b\w*smart_routing\b/g, (name) => swapName(name, smart_routing));
  const { pointer } = item;
  return { ...item, message: swap(item.message), ...(pointer !== undefined && { pointer: swap(pointer) }) };
}

/** Runs a write, and translates member names from and to the wire. */
async function writeApp(
  call: Call,
  use: (body: unknown, caller: Caller) => Promise<ProxyAppRecord>,
): Promise<Answer> {
  const notes: Diagnostic[] = [];
  const ipPrefixes = call.credential.isKnown ? call.credential.may("ip_prefixes") : undefined;
  try {
    const record = await use(await bodyOf(call), { ipPrefixes, notes });
    call.notes.push(...notes.map((note) => toWire(note, call.wire)));
    return { result: showApp(record, call.wire) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [first, ...rest] = error.problems;
    throw new ApiError(toWire(first, call.wire), ...rest.map((problem) => toWire(problem, call.wire)));
  }
}

export const proxyEndpoints: readonly Endpoint[] = [
  get({
    id: "proxy.apps.list",
    path: apps,
    summary: "List proxy applications",
    query: proxyAppQuery,
    response: pagedOnDemand(z.array(proxyApp)),
    handle: async ({ services, params, query, wire }) => {
      const { items, info } = await services.proxy.apps.list(params.zone_id, {
        page: one(query, "page"),
        per_page: one(query, "per_page"),
        order: one(query, "order"),
        direction: one(query, "direction"),
      });
      return { result: items.map((item) => showApp(item, wire)), ...(info && { info }) };
    },
  }),
  get({
    id: "proxy.apps.get",
    path: `${apps}/{app_id}`,
    summary: "Get a proxy application",
    response: enveloped(proxyApp),
    handle: async ({ services, params, wire }) => ({
      result: showApp(await services.proxy.apps.get(params.zone_id, params.app_id), wire),
    }),
  }),
  post({
    id: "proxy.apps.create",
    path: apps,
    summary: "Create a proxy application",
    request: proxyAppBody,
    response: enveloped(proxyApp),
    handle: (call) =>
      writeApp(call, (body, caller) => call.services.proxy.apps.create(call.params.zone_id, body, caller)),
  }),
  patch({
    id: "proxy.apps.edit",
    path: `${apps}/{app_id}`,
    summary: "Change a proxy application",
    request: proxyAppChange,
    response: enveloped(proxyApp),
    handle: (call) => {
      const { zone_id, app_id } = call.params;
      return writeApp(call, (body, caller) => call.services.proxy.apps.edit(zone_id, app_id, body, caller));
    },
  }),
  put({
    id: "proxy.apps.replace",
    path: `${apps}/{app_id}`,
    summary: "Replace a proxy application",
    request: proxyAppBody,
    response: enveloped(proxyApp),
    handle: (call) => {
      const { zone_id, app_id } = call.params;
      return writeApp(call, (body, caller) =>
        call.services.proxy.apps.replace(zone_id, app_id, body, caller),
      );
    },
  }),
  remove({
    id: "proxy.apps.delete",
    path: `${apps}/{app_id}`,
    summary: "Delete a proxy application",
    response: enveloped(deletedApp),
    handle: async ({ services, params }) => {
      await services.proxy.apps.delete(params.zone_id, params.app_id);
      return { result: { id: params.app_id.toLowerCase() } };
    },
  }),
];
