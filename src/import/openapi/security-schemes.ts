/** Security schemes of a document, as token sources. */

import { isJsonObject, type JsonObject, ownMember } from "../../core/json-value.ts";
import type { DocumentedScheme } from "../../engine/tokens/analysis/audit/documented-operation.ts";
import { printField } from "../../engine/tokens/expression/field.ts";
import { checkTokenSources } from "../../engine/tokens/zone/token-source.ts";
import { pointer, quote } from "../../errors.ts";
import { resolveReference } from "./local-references.ts";
import { objectMember, type ReadingContext } from "./reading-context.ts";

/** A scheme of the document. */
export interface SecurityScheme extends DocumentedScheme {
  /** RFC 6901 pointer of the scheme; of its first use when the document does not define it. */
  readonly pointer: string;
  /** Why no token source can read it, as a clause; absent when one can. */
  readonly reason?: string;
}

/** The schemes that a document defines, by name. */
export function readSchemes(
  context: ReadingContext,
  isSwagger: boolean,
): ReadonlyMap<string, SecurityScheme> {
  const components = isSwagger
    ? undefined
    : objectMember(context, "`components`", { value: context.root["components"], at: "/components" });
  const [value, at, subject] = isSwagger
    ? [context.root["securityDefinitions"], "/securityDefinitions", "`securityDefinitions`"]
    : [components?.["securitySchemes"], "/components/securitySchemes", "`securitySchemes`"];
  const defined = objectMember(context, subject, { value, at }) ?? {};
  return new Map(
    Object.keys(defined).map(
      (name) => [name, readScheme(context, name, defined, at + pointer(name))] as const,
    ),
  );
}

function readScheme(context: ReadingContext, name: string, defined: JsonObject, at: string): SecurityScheme {
  const resolved = resolveReference(context, { value: ownMember(defined, name), at });
  const read = "reason" in resolved ? resolved : sourceOf(resolved.value);
  return { name, pointer: at, ...read };
}

type SourceOrReason = { readonly source: string } | { readonly reason: string };

const authorization: SourceOrReason = {
  source: printField({ name: "http.request.headers", key: "authorization", index: 0 }),
};

function sourceOf(scheme: unknown): SourceOrReason {
  if (!isJsonObject(scheme)) return { reason: "its definition is not an object" };
  const { type } = scheme;
  if (type === "oauth2" || type === "openIdConnect") return authorization;
  if (type === "http") return httpSource(scheme["scheme"]);
  if (type === "apiKey") return apiKeySource(scheme);
  if (type === "basic") return { reason: "HTTP Basic credentials are not tokens" };
  if (type === "mutualTLS") return { reason: "a client certificate is not a token" };
  return { reason: `its type is ${quote(type)}` };
}

/** Names of HTTP schemes are compared without case (RFC 9110, section 11.1). */
function httpSource(scheme: unknown): SourceOrReason {
  if (typeof scheme === "string" && scheme.toLowerCase() === "bearer") return authorization;
  return { reason: `credentials of the HTTP scheme ${quote(scheme)} are not tokens` };
}

function apiKeySource({ in: location, name }: JsonObject): SourceOrReason {
  if (typeof name !== "string") return { reason: "its `name` is not a string" };
  if (location === "query") return { reason: `the query parameter ${quote(name)} cannot be a token source` };
  if (location !== "header" && location !== "cookie") return { reason: `its location is ${quote(location)}` };
  const source = printField(
    location === "header"
      ? { name: "http.request.headers", key: name.toLowerCase(), index: 0 }
      : { name: "http.request.cookies", key: name, index: 0 },
  );
  const [problem] = checkTokenSources([source]).problems;
  return problem ? { reason: `no ${location} can have the name ${quote(name)}` } : { source };
}
