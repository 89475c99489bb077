/** Requests with another value of a field or an element. A value that no request can state so has none. */

import type { PlainRequest } from "../../analysis/requests/concretize.ts";
import { type FieldSource, type KnownField, knownFields } from "../../expression/language/fields.ts";
import type { Value } from "../../expression/tree.ts";
import { printAddress } from "../../expression/values/address.ts";
import { toText } from "../../expression/values/bytes.ts";
import { ownName } from "../../expression/values/given.ts";

/** A value of a request: bytes, an integer, an address or a boolean. */
export type Wanted = string | number | bigint | boolean;

/** A value as a request has it: paths start with a slash. */
export function statedValue(value: Value, wanted: Wanted): Wanted {
  const isPath = value.kind === "field" && /^(?:raw\.)?http\.request\.uri(?:\.path)?$/.test(value.name);
  return isPath && typeof wanted === "string" ? absolute(wanted) : wanted;
}

/** The request with a value. Whether it is read so is up to the engine, as a URL is normalized. */
export function withValue(request: PlainRequest, value: Value, wanted: Wanted): PlainRequest | undefined {
  const text = typeof wanted === "string" ? toText(wanted) : undefined;
  if (value.kind === "field") {
    const field = knownFields.get(value.name);
    return field && withField(request, field, statedValue(value, text ?? wanted));
  }
  if (value.kind === "call" || text === undefined) return undefined;
  const list = value.of;
  if (list.kind !== "index" || typeof list.key !== "string" || list.of.kind !== "field") return undefined;
  const field = knownFields.get(list.of.name);
  const key = toText(list.key);
  const index = value.kind === "index" ? value.key : 0;
  if (field === undefined || key === undefined || typeof index !== "number" || index > maxIndex)
    return undefined;
  return withElement[ownName(field)]?.(request, key, [...Array<string>(index).fill("x"), text]);
}

/** The maximum position of an element that is stated. */
const maxIndex = 16;

type Change = (request: PlainRequest, text: string) => PlainRequest | undefined;

const header =
  (name: string): Change =>
  (request, text) => ({
    ...request,
    headers: [...without(request, name), ...(text === "" ? [] : [[name, text] as const])],
  });

function without({ headers }: PlainRequest, name: string): readonly (readonly [string, string])[] {
  return headers.filter(([other]) => other.toLowerCase() !== name);
}

const partsOfUrl = /^(https?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/** Changes a part of the URL. */
const url =
  (
    change: (
      parts: readonly [scheme: string, host: string, path: string, query: string],
      text: string,
    ) => string,
  ): Change =>
  (request, text) => {
    const [, scheme = "", host = "", path = "", query = ""] = partsOfUrl.exec(request.url) ?? [];
    const changed = change([scheme, host, path, query === "" ? "" : `?${query}`], text);
    return URL.canParse(changed) ? { ...request, url: changed } : undefined;
  };

function absolute(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

/** The path and what contains it, normalized or as it is sent. */
const ofPath = {
  uri: url(([scheme, host], text) => scheme + host + text),
  "uri.path": url(([scheme, host, , query], text) => scheme + host + text + query),
  "uri.path.extension": url(([scheme, host, , query], text) => `${scheme}${host}/x.${text}${query}`),
  full_uri: url((_, text) => text),
} as const satisfies Readonly<Record<string, Change>>;

/** The fields that are not stated in `fields`. */
const stated: Readonly<Record<string, Change>> = {
  "http.host": url(([scheme, , path, query], text) => scheme + text + path + query),
  ...Object.fromEntries(
    Object.entries(ofPath).flatMap(([name, change]) =>
      ["", "raw."].map((start) => [`${start}http.request.${name}`, change] as const),
    ),
  ),
  "http.request.uri.query": url(
    ([scheme, host, path], text) => `${scheme}${host}${path}${text && `?${text}`}`,
  ),
  "http.request.method": (request, text) => (text === "" ? undefined : { ...request, method: text }),
  "http.request.version": (request, httpVersion) => ({ ...request, httpVersion }),
  "http.cookie": header("cookie"),
  "http.referer": header("referer"),
  "http.user_agent": header("user-agent"),
  "http.x_forwarded_for": header("x-forwarded-for"),
  "http.request.body.raw": (request, body) => ({ ...request, body }),
  "http.request.body.mime": header("content-type"),
};

/** The maximum size of a body that is made up. */
const maxBodySize = 8192;

function withField(request: PlainRequest, field: KnownField, wanted: Wanted): PlainRequest | undefined {
  const name = ownName(field);
  const change = stated[name];
  if (change !== undefined) return change(request, String(wanted));
  if (name === "ip.src" && typeof wanted !== "string" && typeof wanted !== "boolean")
    return { ...request, ip: printAddress(wanted) };
  if (name === "ssl")
    return { ...request, url: request.url.replace(/^https?/, wanted === true ? "https" : "http") };
  if (name === "http.request.body.size")
    return typeof wanted === "number" && wanted >= 0 && wanted <= maxBodySize
      ? { ...request, body: "x".repeat(wanted) }
      : undefined;
  if (!statedInFields.includes(field.source)) return undefined;
  if (typeof wanted === "bigint") return undefined;
  return { ...request, fields: { ...request.fields, [name]: wanted } };
}

/** The sources of values that `fields` of a request state. */
const statedInFields: readonly FieldSource[] = ["given", "constant", "clock", "zone", "url"];

/** The lists by name that a request can state, by the field. */
const withElement: Readonly<
  Record<string, (request: PlainRequest, key: string, values: readonly string[]) => PlainRequest | undefined>
> = {
  "http.request.headers": (request, key, values) => ({
    ...request,
    headers: [...without(request, key), ...values.map((value) => [key, value] as const)],
  }),
  "http.request.cookies": (request, key, values) => {
    const others = request.headers
      .filter(([name]) => name === "cookie")
      .flatMap(([, value]) => value.split("; "))
      .filter((pair) => !pair.startsWith(`${key}=`));
    return header("cookie")(request, [...others, ...values.map((value) => `${key}=${value}`)].join("; "));
  },
  "http.request.uri.args": (request, key, values) =>
    stated["http.request.uri.query"]?.(request, values.map((value) => `${key}=${value}`).join("&")),
};
