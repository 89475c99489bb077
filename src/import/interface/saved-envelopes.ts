/** Reads saved responses of the interface: envelopes, arrays of envelopes, and bare lists of domain queries. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { success } from "../../core/result.ts";
import { pointer, quote } from "../../errors.ts";
import type { Reader } from "../reader.ts";
import type { DroppedPart, ListedKind, Origin, Reading, Resource, ResourceKind } from "../reading.ts";
import { emptyReading } from "../reading.ts";
import { readResource } from "../resources/kinds.ts";
import { jsonValue, locatableJson, type SourceFile } from "../source-file.ts";
import { type ListedObject, listObjects } from "./list-objects.ts";
import { kindByShape, unsupportedByShape } from "./shapes.ts";

/** `curl ... > rules.json`, one file or several. */
export const savedEnvelopes: Reader = {
  format: "saved responses of the interface",
  detect: (file) => isSavedResponse(jsonValue(file)),
  read: (file) => success(readEnvelopes(file)),
};

function isSavedResponse(value: unknown): boolean {
  if (isEnvelope(value)) return true;
  if (!Array.isArray(value) || value.length === 0) return false;
  return (
    value.every(isEnvelope) || value.every((one) => isJsonObject(one) && kindByShape(one) === "domain_query")
  );
}

function isEnvelope(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value["success"] === "boolean" && Object.hasOwn(value, "result");
}

interface Collected {
  readonly resources: Resource[];
  readonly dropped: DroppedPart[];
  readonly lists: ListedKind[];
}

function readEnvelopes(file: SourceFile): Reading {
  const value = jsonValue(file);
  const place = locatableJson(file);
  const collected: Collected = { resources: [], dropped: [], lists: [] };
  if (isEnvelope(value)) readEnvelope(value, { file: place, pointer: "" }, collected);
  else if (Array.isArray(value) && value.every(isEnvelope))
    for (const [i, one] of value.entries())
      readEnvelope(one, { file: place, pointer: pointer(i) }, collected);
  else for (const one of listObjects("", value)) readListed(one, { file: place, pointer: one.at }, collected);
  return { ...emptyReading, ...collected, run: "save the response again" };
}

function readEnvelope(envelope: JsonObject, origin: Origin, collected: Collected): void {
  const at = `${origin.pointer}/result`;
  const listed = listObjects(at, envelope["result"]);
  const reason = missingResult(envelope, listed);
  if (reason !== undefined) collected.dropped.push({ origin, reason });
  const info = isJsonObject(envelope["result_info"]) ? envelope["result_info"] : {};
  const { page, total_count: total } = info;
  for (const one of listed)
    readListed(one, { ...origin, pointer: one.at }, collected, typeof page === "number" ? page : undefined);
  const kind = listed[0] && kindByShape(listed[0].object);
  if (kind && typeof total === "number")
    collected.lists.push({ kind, total, origin: { ...origin, pointer: at } });
}

/** Why an envelope has nothing to read. */
function missingResult({ success, errors }: JsonObject, listed: readonly ListedObject[]): string | undefined {
  const [error] = Array.isArray(errors) ? errors.filter(isJsonObject) : [];
  if (success === false)
    return `The response is an error: ${quote(error?.["code"])} ${quote(error?.["message"])}.`;
  return listed.length === 0 ? "An empty list does not say of what kind it is." : undefined;
}

function readListed(
  { object }: ListedObject,
  origin: Origin,
  { resources, dropped }: Collected,
  page?: number,
): void {
  const kind = kindByShape(object);
  if (kind === undefined) {
    dropped.push({ origin, reason: unsupportedByShape(object) });
    return;
  }
  const { value, members, others } = readResource(kind, object);
  const paged = page !== undefined && { page };
  resources.push({ kind, value, members, origin, ...scopeOf(object), ...paged } as unknown as Resource);
  dropped.push(...others.map((name) => droppedMember(origin, kind, name)));
}

function scopeOf({ zone_id: zone, account_id: account }: JsonObject) {
  return {
    ...(typeof zone === "string" && { zone }),
    ...(typeof account === "string" && { account }),
  };
}

function droppedMember(origin: Origin, kind: ResourceKind, name: string): DroppedPart {
  const reason = `\`${name}\` is not a member of a ${kind.replaceAll("_", " ")} in the world file.`;
  return { origin: { ...origin, pointer: `${origin.pointer}/${name}` }, reason };
}
