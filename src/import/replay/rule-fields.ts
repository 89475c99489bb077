/** The fields of a request that expressions and token sources read. */
import type { ValueField } from "../../engine/tokens/expression/ast.ts";
import type { FieldName } from "../../engine/tokens/expression/language/fields.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { printExpression } from "../../engine/tokens/expression/printer.ts";
import { leaves } from "../../engine/tokens/expression/references.ts";
import { readField } from "../../engine/tokens/zone/request.ts";
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
  const leaf = parsed.value;
  return leaf.kind === "token" ? { configId: leaf.configId } : { fields: recordedFields(leaf.field) };
}

/** The parts of a recording that have the value of each field; every recording has the others. */
const recordedParts: { readonly [N in FieldName]: RecordedField["kind"] | "always" } = {
  "http.request.method": "always",
  "http.host": "always",
  "http.request.uri.path": "always",
  "http.request.uri": "query",
  "http.request.uri.query": "query",
  "http.request.headers": "header",
  "http.request.cookies": "cookie",
};

function recordedFields(field: ValueField): readonly RuleField[] {
  const part = recordedParts[field.name];
  if (part === "always") return [];
  return "key" in field
    ? indexes(field.index).map((at) => ruleField(part, field.key, at))
    : [ruleField(part, "")];
}

/** All values (`[*]`) are those that every recorder has, the first, and those that some recorders leave out. */
function indexes(index: number | "*"): readonly number[] {
  return index === "*" ? [0, 1] : [index];
}

/** Every field that a zone can read, each once: token sources first. */
export function fieldsOfZone({ configs, rules }: ReadZone): readonly RuleField[] {
  const sources = configs.flatMap((config) => config.sources.map(sourceField));
  const texts = new Set(rules.flatMap(({ expression }) => leaves(expression).map(printExpression)));
  const compared = [...texts].flatMap((text) => {
    const reads = readsOfLeaf(text);
    return "fields" in reads ? reads.fields : [];
  });
  return [...new Map([...sources, ...compared].map((field) => [field.key, field])).values()];
}

/** The value of a field in a recorded request; undefined when it has none. */
export function fieldValue({ method, url, headers }: RecordedRequest, field: RuleField): string | undefined {
  if (field.kind === "query") return url.includes("?") ? url.slice(url.indexOf("?") + 1) : undefined;
  const name = field.kind === "header" ? "http.request.headers" : "http.request.cookies";
  const reader = { method, url, host: "", path: "", headers, cookies: undefined };
  return readField(reader, { name, key: field.name, index: field.index });
}
