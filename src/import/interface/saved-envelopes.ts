/** Reads saved responses of the interface: envelopes, arrays of envelopes, and bare lists of domain queries. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { success } from "../../core/result.ts";
import { pointer } from "../../errors.ts";
import type { Reader } from "../reader.ts";
import type { DroppedPart, Origin, Reading, Resource, ResourceKind } from "../reading.ts";
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

function readEnvelopes(file: SourceFile): Reading {
  const value = jsonValue(file);
  const place = locatableJson(file);
  const resources: Resource[] = [];
  const dropped: DroppedPart[] = [];
  const envelopes = isEnvelope(value) ? [{ at: "", envelope: value }] : [];
  if (Array.isArray(value) && value.every(isEnvelope))
    envelopes.push(...value.map((envelope, i) => ({ at: pointer(i), envelope })));
  const listed =
    envelopes.length > 0
      ? envelopes.flatMap(({ at, envelope }) => listObjects(`${at}/result`, envelope["result"]))
      : listObjects("", value);
  for (const one of listed) readListed(one, { file: place, pointer: one.at }, resources, dropped);
  return { ...emptyReading, resources, dropped, run: "save the response again" };
}

function readListed(
  { object }: ListedObject,
  origin: Origin,
  resources: Resource[],
  dropped: DroppedPart[],
): void {
  const kind = kindByShape(object);
  if (kind === undefined) {
    dropped.push({ origin, reason: unsupportedByShape(object) });
    return;
  }
  const { value, members, others } = readResource(kind, object);
  resources.push({ kind, value, members, origin, ...scopeOf(object) } as Resource);
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
