/** The data of the screen Applications. */
import { pointersOf } from "../../core/diagnostic.ts";
import { parseJsoncSource } from "../../core/json/comments.ts";
import type { JsonSource, TextPosition } from "../../core/json-source.ts";
import { fixBody, fixText } from "../../engine/proxy/fix.ts";
import type { Validation } from "../../engine/proxy/model.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { AppCheck, AppMark, AppView, TextPlace } from "../messages.ts";
import type { DataCall, DataEndpoints } from "./data-endpoint.ts";
import type { AppEdge } from "./data-sources.ts";
import { objectBody, stringField } from "./fields.ts";

export const appEndpoints: DataEndpoints<AppEdge> = {
  apps: { method: "GET", handle: ({ edge, query }) => listApps(edge, query.get("zone") ?? "") },
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
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) {
    const { message, at } = parsed.problems[0];
    const start = createOffsets(text)(at.start);
    const fault = {
      message: `${message}.`,
      start,
      end: Math.min(start + 1, text.length),
      line: at.start.line,
    };
    return { fault, findings: [], notEvaluated: [] };
  }
  const { apps } = call.edge.proxy;
  const validate = (body: unknown) =>
    id === "" ? apps.validate(zone, body) : apps.validateReplacement(zone, id, body);
  const source = parsed.value;
  const validation = await validate(source.value);
  const result = await fixBody(source.value, validate);
  const fixed = result.rounds.length === 0 ? undefined : fixText(text, result);
  return {
    findings: marksOf(validation, source, text),
    notEvaluated: validation.notEvaluated.map((one) => ({ check: one.check, needs: one.needs })),
    ...(fixed !== undefined && { fixed }),
  };
}

/** The offset of a position; lines and columns count from 1. */
function createOffsets(text: string): (position: TextPosition) => number {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return ({ line, column }) => (starts[line - 1] ?? 0) + column - 1;
}

function marksOf({ violations, warnings }: Validation, source: JsonSource, text: string): readonly AppMark[] {
  const offsetOf = createOffsets(text);
  const place = (pointer: string): TextPlace => {
    const { start, end } = source.range(pointer);
    return { start: offsetOf(start), end: offsetOf(end), line: start.line };
  };
  return [...violations, ...warnings].map((one) => {
    return { ...one, places: pointersOf(one).map(place) };
  });
}

async function save(call: DataCall<AppEdge>): Promise<readonly AppView[]> {
  const { zone, id, text } = readBody(call);
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) throw new RequestFault(400, `The text is not JSON: ${parsed.problems[0].message}.`);
  const { apps } = call.edge.proxy;
  await (id === "" ? apps.create(zone, parsed.value.value) : apps.replace(zone, id, parsed.value.value));
  return listApps(call.edge, zone);
}
