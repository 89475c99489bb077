/** Reads saved responses of the interface: envelopes, their objects and lists of these, one or an array or lines of them. */
import type { Placed } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { pointer, quote, withArticle } from "../../errors.ts";
import { derivedValue, leftOut, unreadable } from "../import-rules.ts";
import { locationOf, type Origin } from "../origin.ts";
import type { Reader } from "../reader.ts";
import type { ListedPage, Reading, Resource, ResourceKind, UnknownValue } from "../reading.ts";
import { emptyReading } from "../reading.ts";
import { readResource } from "../resources/kinds.ts";
import { kindNouns } from "../resources/nouns.ts";
import { jsonValue, placesOf, type SourceFile } from "../source-file.ts";
import { type Undecided, undecidedPart } from "../undecided.ts";
import { type MissingPart, missingParts } from "../world/missing-parts.ts";
import { envelopeFault, isEnvelope, pageInfo } from "./envelope.ts";
import { type ListedObject, listObjects } from "./list-objects.ts";
import { kindByShape, unsupportedByShape } from "./shapes.ts";

/** `curl ... > rules.json`, one file or several. */
export const savedEnvelopes: Reader = {
  format: "saved responses of the interface",
  detect: (file) => isSavedResponse(jsonValue(file)),
  read: readEnvelopes,
};

function isSavedResponse(value: unknown): boolean {
  if (isEnvelope(value)) return true;
  if (!Array.isArray(value)) return isDistinct(value);
  if (value.every((element) => isJsonObject(element) && kindByShape(element) === "image_key"))
    return value.length > 0;
  return value.some(
    (element) =>
      isEnvelope(element) || (Array.isArray(element) ? element.some(isDistinct) : isDistinct(element)),
  );
}

/** Two strings with common names are no mark. */
function isDistinct(value: unknown): boolean {
  if (!isJsonObject(value) || ["zones", "accounts"].some((name) => Object.hasOwn(value, name))) return false;
  const kinds = listObjects("", value).map(({ object }) => kindByShape(object));
  return kinds.length > 0 && kinds.every((kind) => isBareKind(kind) && kind !== "image_key");
}

/** Applications in an array are bodies of requests, which `check` reads as they are. */
function isBareKind(kind: ResourceKind | undefined): boolean {
  return kind !== undefined && kind !== "proxy_application";
}

/** The answer of domain queries is such a list; of every other list the pages are not known. */
function pagesRemark({ file, pointer }: Origin, [first]: readonly ListedObject[]): readonly Placed[] {
  if (first && kindByShape(first.object) === "domain_query") return [];
  const message =
    "An array without its envelope does not say whether the list has more pages; all are expected.";
  return [derivedValue({ file, pointer }, message)];
}

interface Collected {
  readonly resources: Resource[];
  readonly dropped: Placed[];
  readonly lists: ListedPage[];
  readonly undecided: Undecided[];
}

const run = "save the response again";

interface Part {
  readonly value: unknown;
  readonly origin: Origin;
}

function readEnvelopes(file: SourceFile): Result<Reading, Placed> {
  const value = jsonValue(file);
  const places = placesOf(file);
  const collected: Collected = { resources: [], dropped: [], lists: [], undecided: [] };
  const parts = partsOf(value).map(([at, part]): Part => {
    return { value: part, origin: { file: places, pointer: at } };
  });
  const [first, ...rest] = parts.flatMap(faultsOf);
  if (first) return failure(first, ...rest);
  const bare: ListedObject[] = [];
  for (const { value: part, origin } of parts) {
    if (isEnvelope(part)) readEnvelope(part, origin, collected);
    else bare.push(...listObjects(origin.pointer, part));
  }
  for (const object of bare) readListed(object, { file: places, pointer: object.at }, collected);
  const derived =
    Array.isArray(value) && bare.length > 0 ? pagesRemark({ file: places, pointer: "" }, bare) : [];
  return success({ ...emptyReading, ...collected, derived, run });
}

/** The parts of a file with their pointers. */
function partsOf(value: unknown): readonly (readonly [at: string, part: unknown])[] {
  return Array.isArray(value) ? value.map((element, i) => [pointer(i), element]) : [["", value]];
}

/** A response without a result says nothing: it must never count as an empty list. */
function faultsOf({ value, origin }: Part): readonly Placed[] {
  const message = isEnvelope(value)
    ? envelopeFault(value)
    : typeof value === "object" && value !== null
      ? undefined
      : `A response, an object or a list of the interface is expected; found ${quote(value)}.`;
  return message === undefined ? [] : [unreadable(locationOf(origin), message)];
}

function readEnvelope(envelope: JsonObject, { file, pointer: base }: Origin, collected: Collected): void {
  const { result } = envelope;
  const at = { file, pointer: `${base}/result` };
  const listed = listObjects(at.pointer, result);
  const info = pageInfo(envelope);
  const { page, total, hasNext } = info;
  const kind = listed
    .map(({ object }) => kindByShape(object))
    .find((kindOfObject) => kindOfObject !== undefined);
  if (Array.isArray(result)) leaveStray(result, kind, at, collected);
  for (const object of listed) {
    const origin = { file, pointer: object.at };
    if (isEmpty(object.object))
      leaveElement(origin, "an object with members", object.object, kind, collected);
    else readListed(object, origin, collected, page, kind);
  }
  const count = listed.length;
  if (total !== undefined || hasNext !== undefined)
    collected.lists.push({ ...info, count, elements: result, origin: at, ...(kind && { kind }) });
  if (count === 0 && !total)
    collected.dropped.push(
      leftOut({ file, pointer: base }, "An empty list does not say of what kind it is."),
    );
}

/** An element of another form is a missing resource: the list is not complete. */
function leaveStray(
  result: readonly unknown[],
  kind: ResourceKind | undefined,
  { file, pointer: base }: Origin,
  collected: Collected,
): void {
  for (const [i, entry] of result.entries()) {
    const origin = { file, pointer: base + pointer(i) };
    if (!isJsonObject(entry)) leaveElement(origin, "an object", entry, kind, collected);
  }
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function leaveElement(
  origin: Origin,
  expected: string,
  found: unknown,
  kind: ResourceKind | undefined,
  { dropped, undecided }: Collected,
): void {
  const what = kind === undefined ? expected : withArticle(kindNouns[kind][0]);
  const message = `A part of the response must be ${what}; found ${quote(found)}.`;
  const missing: MissingPart | undefined =
    kind === undefined ? { about: "rule", effect: {} } : missingParts[kind];
  if (missing === undefined) dropped.push(leftOut(origin, message));
  else undecided.push(undecidedPart(locationOf(origin), { ...missing, message, run }));
}

function readListed(
  { object }: ListedObject,
  origin: Origin,
  collected: Collected,
  page?: number,
  others?: ResourceKind,
): void {
  const { resources, dropped } = collected;
  const kind = kindByShape(object);
  if (kind === undefined) {
    if (others !== undefined) leaveElement(origin, "an object", object, others, collected);
    else dropped.push(leftOut(origin, unsupportedByShape(object)));
    return;
  }
  const { value, members, others: names } = readResource(kind, object);
  const unknown = nullElements(object, value, members);
  const paged = page !== undefined && { page };
  const own = { ...idOf(object), ...scopeOf(kind, object), ...paged };
  resources.push({ kind, value, members, origin, ...own, unknown } as unknown as Resource);
  dropped.push(...names.map((name) => droppedMember(origin, kind, name)));
}

/** A list with an element that is null is not the whole list. */
function nullElements(
  object: JsonObject,
  value: JsonObject,
  members: ReadonlyMap<string, string>,
): readonly UnknownValue[] {
  return Object.keys(value).flatMap((name) => {
    const at = members.get(pointer(name)) ?? pointer(name);
    const given = at
      .split("/")
      .slice(1)
      .reduce<unknown>((parent, key) => (isJsonObject(parent) ? parent[key] : undefined), object);
    return hasNullElement(given) ? [{ pointer: pointer(name) }] : [];
  });
}

function hasNullElement(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((element) => element === null || hasNullElement(element));
  return isJsonObject(value) && Object.values(value).some(hasNullElement);
}

function idOf({ id, query_id = id }: JsonObject) {
  return typeof query_id === "string" || typeof query_id === "number" ? { id: String(query_id) } : {};
}

/** A ruleset does not say whose it is: entry points of zones have a kind of their own. */
function scopeOf(kind: ResourceKind, { zone_id: zone, account_id: account, kind: given }: JsonObject) {
  return {
    ...(kind === "ruleset" && { owner: given === "zone" ? "zone" : "account" }),
    ...(typeof zone === "string" && { zone }),
    ...(typeof account === "string" && { account }),
  };
}

function droppedMember(origin: Origin, kind: ResourceKind, name: string): Placed {
  const message = `\`${name}\` is not a member of ${withArticle(kind.replaceAll("_", " "))} in the world file.`;
  return leftOut({ ...origin, pointer: `${origin.pointer}/${name}` }, message);
}
