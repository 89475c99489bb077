/** The fields of a request that expressions and token sources read. */
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

/** What a leaf of an expression reads: the token of a configuration, or fields. */
export type LeafReads = { readonly configId: string } | { readonly fields: readonly RuleField[] };

const listedField = /http\.request\.(header|cookie)s\["((?:[^"\\]|\\.)*)"\](?:\[(\d+|\*)\])?/g;
const tokenTest = /^is_jwt_\w+\("((?:[^"\\]|\\.)*)"\)$/;
const queryField = /http\.request\.uri(?:\.query|(?![.\w]))/;

/** A field with its key. */
export function ruleField(kind: RecordedField["kind"], name: string, index = 0): RuleField {
  const compared = kind === "header" ? name.toLowerCase() : name;
  return { kind, name: compared, index, key: `${kind} ${index} ${compared}` };
}

/** The field of a token source. */
export function sourceField({ name, key, index }: TokenSource): RuleField {
  return ruleField(name === "http.request.headers" ? "header" : "cookie", key, index);
}

/** What a leaf reads, from its canonical spelling. */
export function readsOfLeaf(text: string): LeafReads {
  const configId = tokenTest.exec(text)?.[1];
  if (configId !== undefined) return { configId: unescapeName(configId) };
  const listed = [...text.matchAll(listedField)].flatMap(([, kind, name = "", index = "0"]) =>
    indexes(index).map((at) => ruleField(kind === "header" ? "header" : "cookie", unescapeName(name), at)),
  );
  return { fields: queryField.test(text) ? [...listed, ruleField("query", "")] : listed };
}

/** All values (`[*]`) are those that every recorder has, the first, and those that some recorders leave out. */
function indexes(index: string): readonly number[] {
  return index === "*" ? [0, 1] : [Number(index)];
}

function unescapeName(name: string): string {
  return name.replaceAll(/\\(.)/g, "$1");
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
