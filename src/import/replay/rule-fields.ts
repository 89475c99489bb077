/** The fields of a request that expressions and token sources read. */

import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import type { Test, Value } from "../../engine/tokens/expression/tree.ts";
import { tokenTestOf, valuesOf } from "../../engine/tokens/expression/tree-queries.ts";
import { toText } from "../../engine/tokens/expression/values/bytes.ts";
import { readListed } from "../../engine/tokens/zone/request.ts";
import type { TokenSource } from "../../engine/tokens/zone/token-source.ts";
import type { ReadZone } from "../../engine/tokens/zone/zone-input.ts";
import type { RecordedField, RecordedRequest } from "../traffic/recorded-request.ts";

/** A field that rules can read. */
export interface RuleField extends RecordedField {
  /** Distinguishes the field from all others. */
  readonly key: string;
}

/** The inputs of a leaf of an expression: the token of a configuration, or fields. */
export type LeafReads = { readonly configId: string } | { readonly fields: readonly RuleField[] };

/** A field with its key. */
export function ruleField(kind: RecordedField["kind"], name: string, index = 0): RuleField {
  const compared = kind === "header" ? name.toLowerCase() : name;
  return { kind, name: compared, index, key: `${kind} ${index} ${compared}` };
}

/** The field of a token source. */
export function sourceField({ name, key, index }: TokenSource): RuleField {
  return ruleField(name === "http.request.headers" ? "header" : "cookie", key, index);
}

/** The inputs of a leaf, from its canonical spelling. */
export function readsOfLeaf(text: string): LeafReads {
  const parsed = parseExpression(text, { maxLength: Number.MAX_SAFE_INTEGER });
  if (!parsed.ok || parsed.value.kind === "combination" || parsed.value.kind === "not") return { fields: [] };
  return readsOf(parsed.value);
}

function readsOf(leaf: Test): LeafReads {
  const tested = tokenTestOf(leaf);
  return tested === undefined
    ? { fields: valuesOf(leaf).flatMap(fieldsOfValue) }
    : { configId: tested.configId };
}

const listedParts: Readonly<Record<string, RecordedField["kind"]>> = {
  "http.request.headers": "header",
  "http.request.cookies": "cookie",
};

/** The recorded parts of a value, without those of its parts that it reads one by one; every recording has the method, the host and the path. */
function fieldsOfValue(value: Value): readonly RuleField[] {
  if (value.kind === "index" || value.kind === "each") {
    const list = value.of;
    if (list.kind !== "index" || list.of.kind !== "field" || typeof list.key !== "string") return [];
    const part = listedParts[list.of.name];
    const { key } = list;
    const index = value.kind === "index" && typeof value.key === "number" ? value.key : "*";
    return part === undefined ? [] : indexes(index).map((at) => ruleField(part, toText(key) ?? key, at));
  }
  if (value.kind !== "field") return [];
  const header = headerFields.get(value.name);
  if (header !== undefined) return [ruleField("header", header)];
  const readsQuery = value.name.endsWith(".uri") || queryFields.some((part) => value.name.includes(part));
  return readsQuery ? [ruleField("query", "")] : [];
}

/** Parts of the names of fields that read the query. */
const queryFields = [".uri.query", ".uri.args", ".full_uri"] as const;

/** The fields that are one header. */
const headerFields = new Map([
  ["http.cookie", "cookie"],
  ["http.referer", "referer"],
  ["http.user_agent", "user-agent"],
  ["http.x_forwarded_for", "x-forwarded-for"],
]);

/** All values (`[*]`) are those that every recorder has, the first, and those that some recorders leave out. */
function indexes(index: number | "*"): readonly number[] {
  return index === "*" ? [0, 1] : [index];
}

/** Every field that a zone can read, each once: token sources first. */
export function fieldsOfZone({ configs, rules }: ReadZone): readonly RuleField[] {
  const sources = configs.flatMap((config) => config.sources.map(sourceField));
  const compared = rules.flatMap(({ expression }) => valuesOf(expression).flatMap(fieldsOfValue));
  return [...new Map([...sources, ...compared].map((field) => [field.key, field])).values()];
}

/** The value of a field in a recorded request; undefined when it has none. */
export function fieldValue({ method, url, headers }: RecordedRequest, field: RuleField): string | undefined {
  if (field.kind === "query") return url.includes("?") ? url.slice(url.indexOf("?") + 1) : undefined;
  const name = field.kind === "header" ? "http.request.headers" : "http.request.cookies";
  const reader = { method, url, host: "", path: "", headers, cookies: undefined };
  return readListed(reader, { name, key: field.name, index: field.index });
}
