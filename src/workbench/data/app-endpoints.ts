/** The data of the screen Applications. */
import { parseJsoncSource } from "../../core/json/comments.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { AppCheck, AppView } from "../messages.ts";
import { checkApplication } from "./check-application.ts";
import { anId, type DataCall, type DataEndpoints, reads } from "./data-endpoint.ts";
import type { AppEdge } from "./data-sources.ts";
import { objectBody, stringField } from "./fields.ts";

export const appEndpoints: DataEndpoints<AppEdge> = {
  apps: reads({ zone: anId }, ({ edge, query }) => listApps(edge, query.zone)),
  "app/check": { method: "POST", handle: check },
  "app/save": { method: "POST", handle: save },
};

async function listApps({ proxy }: AppEdge, zone: string): Promise<readonly AppView[]> {
  const { items } = await proxy.apps.list(zone);
  return items.map(({ id, app }) => ({
    id,
    name: app.dns.name,
    protocol: app.protocol,
    text: JSON.stringify(app, null, 2),
  }));
}

/** The zone, the id of a stored application (empty for a new one), and the text. */
function readBody({ body }: DataCall<AppEdge>) {
  const given = objectBody(body);
  return { zone: stringField(given, "zone"), id: stringField(given, "id"), text: stringField(given, "text") };
}

async function check(call: DataCall<AppEdge>): Promise<AppCheck> {
  const { zone, id, text } = readBody(call);
  const { apps } = call.edge.proxy;
  return checkApplication(text, (body) =>
    id === "" ? apps.validate(zone, body) : apps.validateReplacement(zone, id, body),
  );
}

async function save(call: DataCall<AppEdge>): Promise<readonly AppView[]> {
  const { zone, id, text } = readBody(call);
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) throw new RequestFault(400, `The text is not JSON: ${parsed.problems[0].message}.`);
  const { apps } = call.edge.proxy;
  await (id === "" ? apps.create(zone, parsed.value.value) : apps.replace(zone, id, parsed.value.value));
  return listApps(call.edge, zone);
}
