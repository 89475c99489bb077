/**
 * Servers of a document: the hosts and base paths of its operations. The nearest list counts (`servers` of the
 * operation, of the path item, of the document). Ports are not part of an operation.
 */

import { isJsonObject, isScalar, type JsonObject, ownMember } from "../../core/json-value.ts";
import { trimEndOf } from "../../core/text/trim.ts";
import { invalidValue } from "../../engine/tokens/input-problem.ts";
import { readTarget } from "../../engine/tokens/zone/target.ts";
import { pointer, quote } from "../../errors.ts";
import { arrayMember, objectMember, type ReadingContext, reject, remark } from "./reading-context.ts";

/** Host and base path of operations. */
export interface Server {
  readonly host: string;
  /** Empty, or begins with `/` and does not end with it. */
  readonly basePath: string;
}

/** The maximum number of URLs that the variables of one server produce. */
export const maxServerUrls = 64;

/** The servers of an object with a list of servers; undefined when it has no list, or an empty one. */
export function readServers(
  context: ReadingContext,
  owner: JsonObject,
  at: string,
  hosts: readonly string[],
): readonly Server[] | undefined {
  const list = arrayMember(context, "`servers`", { value: owner["servers"], at: `${at}/servers` });
  if (list === undefined || list.length === 0) return undefined;
  const servers = list.flatMap((server, i) =>
    readServer(context, server, `${at}/servers${pointer(i)}`, hosts),
  );
  return distinct(servers);
}

/** The server of a document that lists none: its own location, which only the caller knows. */
export function defaultServers(context: ReadingContext, hosts: readonly string[]): readonly Server[] {
  return serversOfUrl(context, "/", "", hosts);
}

/** The server of a 2.0 document: members `host` and `basePath`. */
export function readSwaggerServer(context: ReadingContext, hosts: readonly string[]): readonly Server[] {
  const { host, basePath = "/" } = context.root;
  if (host !== undefined && typeof host !== "string")
    reject(context, invalidValue("/host", "`host`", "a string", host));
  if (typeof basePath !== "string" || !basePath.startsWith("/")) {
    reject(context, invalidValue("/basePath", "`basePath`", "a string that starts with `/`", basePath));
    return [];
  }
  const url = typeof host === "string" && host !== "" ? `https://${host}${basePath}` : basePath;
  return serversOfUrl(context, url, typeof host === "string" ? "/host" : "", hosts);
}

function readServer(
  context: ReadingContext,
  server: unknown,
  at: string,
  hosts: readonly string[],
): readonly Server[] {
  const url = isJsonObject(server) ? server["url"] : undefined;
  if (!isJsonObject(server) || typeof url !== "string") {
    const found = isJsonObject(server) ? url : server;
    reject(context, invalidValue(`${at}/url`, "`url` of a server", "a string", found));
    return [];
  }
  const urls = expandVariables(context, url, server, at);
  return urls.flatMap((expanded) => serversOfUrl(context, expanded, `${at}/url`, hosts));
}

/** The URLs of a server: each value of the `enum` of a variable, else its default. */
function expandVariables(
  context: ReadingContext,
  url: string,
  server: JsonObject,
  at: string,
): readonly string[] {
  const variables =
    objectMember(context, "`variables`", { value: server["variables"], at: `${at}/variables` }) ?? {};
  const names = [...new Set([...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name))];
  let urls = [url];
  for (const name of names) {
    const values = variableValues(ownMember(variables, name));
    if (values.length === 0) {
      const message = `The server is left out: its variable ${quote(name)} has neither \`enum\` nor \`default\`.`;
      remark(context, "dropped", at, message);
      return [];
    }
    if (urls.length * values.length > maxServerUrls) {
      const message = `The variables of the server produce more than ${maxServerUrls} URLs; the others are left out.`;
      remark(context, "dropped", at, message);
    }
    urls = urls
      .flatMap((address) =>
        values.slice(0, maxServerUrls).map((value) => address.replaceAll(`{${name}}`, () => value)),
      )
      .slice(0, maxServerUrls);
  }
  if (names.length > 0) {
    const message = `The variables of the server produce ${urls.map(quote).join(", ")}.`;
    remark(context, "derived", at, message);
  }
  return urls;
}

function variableValues(variable: unknown): readonly string[] {
  if (!isJsonObject(variable)) return [];
  const { enum: values, default: value } = variable;
  return (Array.isArray(values) && values.length > 0 ? values : [value]).filter(isScalar).map(String);
}

/** The server of a URL; of a relative one a server for each of the caller's hosts. */
function serversOfUrl(
  context: ReadingContext,
  url: string,
  at: string,
  hosts: readonly string[],
): readonly Server[] {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith("//")) {
    return serverOf(context, url.startsWith("//") ? `https:${url}` : url, at);
  }
  if (hosts.length === 0) {
    remark(context, "withoutHost", at, `The server URL ${quote(url)} has no host.`);
  }
  const path = url.startsWith("/") ? url : `/${url}`;
  return hosts.flatMap((host) => serverOf(context, `https://${host}${path}`, at));
}

function serverOf(context: ReadingContext, url: string, at: string): readonly Server[] {
  const target = readTarget(url);
  if (target === undefined || target.host === "") {
    const message = `The server is left out: ${quote(url)} is not an http or https URL.`;
    remark(context, "dropped", at, message);
    return [];
  }
  if (new URL(url).port !== "") {
    const message = `The port of ${quote(url)} is left out: operations have no port, so rules apply to all ports.`;
    remark(context, "derived", at, message);
  }
  return [{ host: target.host, basePath: trimEndOf(target.path, "/") }];
}

function distinct(servers: readonly Server[]): readonly Server[] {
  return [
    ...new Map(servers.map((server) => [JSON.stringify([server.host, server.basePath]), server])).values(),
  ];
}
