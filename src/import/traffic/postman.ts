/** Reads a Postman collection, version 2 (`observed`: its JSON schema). Scripts are never run. */
import { readUrl } from "../../core/idna/url.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import {
  completeRecording,
  type RecordedRequest,
  RecordFault,
  type Recording,
  type Silence,
  type TrafficSink,
  typeInWords,
} from "./recorded-request.ts";

/** Folders within folders; deeper ones are rejected (`chosen`). */
const maxDepth = 100;

/** The settings that a folder hands down to its requests. */
interface Inherited {
  readonly variables: ReadonlyMap<string, string>;
  readonly auth: unknown;
  readonly depth: number;
}

/**
 * Reads a parsed collection: its requests in order, with its own variables. A failure is a clause about the whole file.
 * A variable without a value stays as it is: as a token it counts as redacted, in a host the request is rejected.
 *
 * @param value the value of the JSON file
 */
export function readPostman(value: unknown, sink: TrafficSink): Result<void, string> {
  const items = isJsonObject(value) ? value["item"] : undefined;
  if (!isJsonObject(value) || !Array.isArray(items))
    return failure(`\`item\` must be an array; found ${typeInWords(items)}`);
  let position = 0;
  const visit = (list: readonly unknown[], from: Inherited): void => {
    for (const item of list) {
      const inner = isJsonObject(item) ? item["item"] : undefined;
      if (isJsonObject(item) && Array.isArray(inner) && from.depth < maxDepth) {
        visit(inner, handDown(item, from));
        continue;
      }
      position++;
      const read = Array.isArray(inner)
        ? new RecordFault(`folders are nested deeper than ${maxDepth} levels`)
        : readItem(item, position, from);
      if (read instanceof RecordFault) sink.rejected({ position, reason: read.reason });
      else sink.request(read);
    }
  };
  visit(items, handDown(value, { variables: new Map(), auth: undefined, depth: 0 }));
  return success(undefined);
}

function handDown(folder: JsonObject, { variables, auth, depth }: Inherited): Inherited {
  const own = pairsOf(folder["variable"]);
  return {
    variables: own.length === 0 ? variables : new Map([...variables, ...own]),
    auth: folder["auth"] ?? auth,
    depth: depth + 1,
  };
}

/** Enabled pairs of a list of objects with `key` and `value`. */
function pairsOf(list: unknown): [string, string][] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item): [string, string][] => {
    if (!isJsonObject(item) || item["disabled"] === true) return [];
    const { key, value } = item;
    return typeof key === "string" && typeof value === "string" ? [[key, value]] : [];
  });
}

function readItem(item: unknown, position: number, from: Inherited): RecordedRequest | RecordFault {
  const given = isJsonObject(item) ? item["request"] : undefined;
  const request = typeof given === "string" ? { url: given } : given;
  if (!isJsonObject(item) || !isJsonObject(request))
    return new RecordFault("the item must be an object with the member `request`, or a folder");
  const fill = (text: string) => fillVariables(text, from.variables);
  const { url: address, method = "GET" } = request;
  const raw = isJsonObject(address) ? address["raw"] : address;
  if (typeof raw !== "string") return new RecordFault(`\`url\` must be a string; found ${typeInWords(raw)}`);
  if (typeof method !== "string")
    return new RecordFault(`\`method\` must be a string; found ${typeInWords(method)}`);
  const filled = fill(raw);
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(filled) ? filled : `https://${filled}`;
  if (/^[^/]*\/\/[^/?#]*\{\{/.test(url))
    return new RecordFault(
      "the host is a variable without a value; add it to the variables of the collection",
    );
  const parts = /^https?:/i.test(url) ? readUrl(url) : undefined;
  if (!parts) return new RecordFault("the address is not an http or https URL");
  const headers = pairsOf(request["header"]).map(([name, value]): [string, string] => [name, fill(value)]);
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  if (!has("host")) headers.unshift(["host", parts.host]);
  const recording = has("authorization")
    ? completeRecording
    : addAuth(request["auth"] ?? from.auth, headers, fill);
  const name = item["name"];
  return {
    name: typeof name === "string" && name !== "" ? name : `item ${position}`,
    position,
    method: method.toUpperCase(),
    url,
    headers,
    recording,
  };
}

/** Variables can have variables in their values; a cycle ends after a few rounds. */
function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  let filled = text;
  for (let round = 0; round < 5 && filled.includes("{{") && filled.length < 65_536; round++)
    filled = filled.replace(
      /\{\{([^{}]*)\}\}/g,
      (whole, name: string) => variables.get(name.trim()) ?? whole,
    );
  return filled;
}

/** Adds the header of the authorization; one that is computed when it is sent counts as left out. */
function addAuth(auth: unknown, headers: [string, string][], fill: (text: string) => string): Recording {
  if (!isJsonObject(auth) || auth["type"] === "noauth") return completeRecording;
  const type = auth["type"];
  const settings = new Map(typeof type === "string" ? pairsOf(auth[type]) : []);
  const setting = (name: string) => fill(settings.get(name) ?? "");
  if (type === "bearer") headers.push(["authorization", `Bearer ${setting("token")}`]);
  else if (type === "apikey" && settings.get("in") !== "query")
    headers.push([setting("key"), setting("value")]);
  else return { ...completeRecording, exceptions: new Map<string, Silence>([["authorization", "stripped"]]) };
  return completeRecording;
}
