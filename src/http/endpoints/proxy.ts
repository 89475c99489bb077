/** Endpoints of proxy applications. POST and PATCH are in the specification; the others are `observed`. */

import * as z from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { payAsYouGoMembers } from "../../engine/proxy/checks/body.ts";
import { ApiError } from "../../errors.ts";
import { enveloped, pagedOnDemand } from "../../schemas/envelope.ts";
import { deletedApp, proxyApp, proxyAppBody, proxyAppChange, proxyAppQuery } from "../../schemas/proxy.ts";
import type { Caller, ProxyApplication } from "../../service/proxy/apps.ts";
import { type MemberNames, namesFor, readNames, withNames } from "../../service/proxy/member-names.ts";
import { renameMember, type WireNames, wireNames } from "../wire-names.ts";
import { type Answer, type Call, type Endpoint, endpointsOf } from "./endpoint.ts";

const { get, post, put, patch, remove } = endpointsOf("proxy", "proxy");
const apps = "/zones/{zone_id}/{app_service}/apps";

/** Internal name of the member, which has another name on the wire with some profiles. */
const internalName = wireNames.spec.smart_routing;

/**
 * An application with the wire's member names. Applications of pay-as-you-go accounts have the members that they may send, so
 * that a client can put back what it read (`observed`: the type of the provider's client library).
 */
function showApp(
  { id, created_on, modified_on, app, plan }: ProxyApplication,
  { smart_routing }: WireNames,
): unknown {
  const isShown = ([name]: [string, unknown]) =>
    plan !== "pay-as-you-go" || (payAsYouGoMembers as ReadonlySet<string>).has(name);
  const shown = Object.fromEntries(Object.entries(app).filter(isShown));
  return renameMember({ id, ...shown, created_on, modified_on }, internalName, smart_routing);
}

/** The names of members on the wire. An internal name in a request becomes an unknown member. */
function namesOf({ smart_routing }: WireNames): MemberNames {
  return namesFor(smart_routing, internalName);
}

/** Runs a write, and translates member names from and to the wire. */
async function writeApp(
  call: Call,
  use: (body: unknown, caller: Caller) => Promise<ProxyApplication>,
): Promise<Answer> {
  const notes: Diagnostic[] = [];
  const names = namesOf(call.wire);
  const ipPrefixes = call.credential.isKnown ? call.credential.may("ip_prefixes") : undefined;
  try {
    const record = await use(readNames(await call.json(), names), { ipPrefixes, notes });
    call.notes.push(...notes.map((note) => withNames(note, names)));
    return { result: showApp(record, call.wire) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [first, ...rest] = error.problems;
    throw new ApiError(withNames(first, names), ...rest.map((problem) => withNames(problem, names)));
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
      const { items, info } = await services.proxy.apps.list(params.zone_id, query);
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
