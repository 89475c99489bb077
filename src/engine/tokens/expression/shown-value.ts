/**
 * The values that an expression compares, as explanations show them: secrets of the request are `***`, by the names of
 * parameters, headers and cookies, as everywhere else. A value that a function made of a secret is one.
 */
import {
  isSecretName,
  mask,
  maskAddress,
  maskBody,
  maskHeader,
  maskPairs,
  maskQuery,
} from "../../../core/text/secrets.ts";
import { compileValue, type Program } from "./compile-value.ts";
import { knownFields, type ReadFieldName } from "./language/fields.ts";
import type { MapValue } from "./language/types.ts";
import type { FieldValue, Literal, Value } from "./tree.ts";
import type { RequestValues } from "./values/request-values.ts";

type MaskText = (text: string) => string;

/** The fields with texts of the client that can have secrets. */
const texts: { readonly [N in ReadFieldName]?: MaskText } = {
  "http.request.uri": maskAddress,
  "http.request.uri.path": maskAddress,
  "http.request.uri.query": maskQuery,
  "http.request.full_uri": maskAddress,
  "raw.http.request.uri": maskAddress,
  "raw.http.request.uri.path": maskAddress,
  "raw.http.request.full_uri": maskAddress,
  "http.cookie": (text) => maskPairs(text, ";"),
  "http.referer": maskAddress,
  "http.request.body.raw": maskBody,
};

/** The fields with values by names that the client chose. */
const named: { readonly [N in ReadFieldName]?: (name: string, value: string) => string } = {
  "http.request.headers": maskHeader,
  "http.request.cookies": maskNamed,
  "http.request.uri.args": maskNamed,
  "http.request.body.form": maskNamed,
};

function maskNamed(name: string, value: string): string {
  return isSecretName(name) ? mask : value;
}

/** A field, with the name in it that is read where there is one. */
interface Source {
  readonly field: FieldValue;
  readonly key?: string;
}

/** The field that a value reads without any function; undefined for the result of a call. */
function sourceOf(value: Value): Source | undefined {
  if (value.kind === "call") return undefined;
  if (value.kind === "field") return { field: value };
  const source = sourceOf(value.of);
  if (source === undefined || value.kind === "each" || typeof value.key !== "string") return source;
  return { ...source, key: value.key };
}

function sourcesOf(value: Value | Literal): readonly Source[] {
  if (value.kind === "literal") return [];
  const source = sourceOf(value);
  if (source !== undefined) return [source];
  return value.kind === "call" ? value.args.flatMap(sourcesOf) : sourcesOf((value as { of: Value }).of);
}

/** Returns a function from a value that was read to the one that is shown. */
export function compileShown(
  program: Program,
  value: Value,
): (values: RequestValues, found: unknown) => unknown {
  const direct = sourceOf(value);
  const maskDirect = direct && directMask(direct);
  if (maskDirect) return (_, found) => mapTexts(found, maskDirect);
  const holders = sourcesOf(value).map((source) => compileHolds(program, source));
  return (values, found) => mapTexts(found, (text) => (holders.some((holds) => holds(values)) ? mask : text));
}

/** The mask of a text, or of the values of one name. */
function directMask({ field, key }: Source): MaskText | undefined {
  const known = knownFields.get(field.name);
  const base = known?.base as ReadFieldName;
  const ofName = named[base];
  return key === undefined ? texts[base] : ofName && ((text) => ofName(key, text));
}

/** Whether a request has a secret in a field. */
function compileHolds(program: Program, source: Source): (values: RequestValues) => boolean {
  const { field, key } = source;
  const base = knownFields.get(field.name)?.base as ReadFieldName;
  const ofText = texts[base];
  const ofName = named[base];
  if (ofText === undefined && ofName === undefined) return () => false;
  const read = compileValue(program, { ...field, name: base });
  return (values) => {
    const found = read(values);
    if (typeof found === "string") return ofText?.(found) !== found;
    if (ofName === undefined || typeof found !== "object" || found === null) return false;
    const map = found as MapValue;
    return (key === undefined ? map.names() : [key]).some((name) =>
      [map.get(name)].flat().some((value) => typeof value === "string" && ofName(name, value) !== value),
    );
  };
}

function mapTexts(found: unknown, maskText: MaskText): unknown {
  if (typeof found === "string") return maskText(found);
  return Array.isArray(found) ? found.map((element) => mapTexts(element, maskText)) : found;
}
