/** One endpoint: a row of the table that routing, permissions and the OpenAPI document are derived from. */

import type { z } from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { integerText } from "../../core/text/typed-values.ts";
import { uuidPattern } from "../../core/text/uuid.ts";
import type { Area } from "../../errors.ts";
import type { ResponseSchema } from "../../schemas/envelope.ts";
import type { NoParameters, Parameters, QueryOf } from "../../schemas/parameters.ts";
import type { CursorInfo, ResultInfo } from "../../service/paging.ts";
import type { Permission } from "../../service/permissions.ts";
import type { Services } from "../../service/services.ts";
import type { EndpointId } from "../documents/documents.ts";
import type { anyPermission, Credential } from "../requests/authentication.ts";
import type { WireNames } from "../wire-names.ts";

export { deliveryPath, uploadPath } from "../../service/images/view.ts";
/** Paths of the probes, at the origin (`chosen`). */
export const probePaths = ["/livez", "/readyz", "/health"] as const;

/** Response header with the code of an error of the Images binding, whose runtime has only this name (`observed`). */
export const bindingErrorHeader = "cf-images-binding";

/** One of {@link probePaths}. */
export type ProbePath = (typeof probePaths)[number];

/** The methods of the requests that a row answers: HEAD where GET is. */
export function methodsOf({ method }: Pick<Endpoint, "method">): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** Whether a path is that of a probe, which is answered for every host. */
export function isProbePath(path: string): boolean {
  return (probePaths as readonly string[]).includes(path);
}

/** Names between braces in a path template, `{name}` or `{name+}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}+` ? Plain : Name) | NamesIn<Rest>
  : never;

/** Names of the parameters of a path template; any name where the template is not known at compile time. */
export type PathParameter<Path extends string> = string extends Path
  ? string
  : Exclude<NamesIn<Path>, "intel" | "app_service">;

/** One request, decoded; `Name` is the union of the names of its path parameters, `Query` has those of its query. */
export interface Call<Name extends string = string, Query extends Parameters = NoParameters> {
  readonly request: Request;
  /** Path parameters, decoded and checked. */
  readonly params: Readonly<Record<Name, string>>;
  /** Declared query parameters, decoded and checked. */
  readonly query: QueryOf<Query>;
  /**
   * Reads the JSON body.
   *
   * @param maxBytes default: the limit `bodyBytes`
   * @throws {ApiError}
   */
  json(maxBytes?: number): Promise<unknown>;
  readonly services: Services;
  readonly credential: Credential;
  readonly wire: WireNames;
  /** Start of the addresses in responses, without a slash at the end. */
  readonly publicBase: string;
  /** Path under which the interface is mounted. */
  readonly basePath: string;
  /** Start of delivery addresses, without a slash at the end. */
  readonly deliveryBase: string;
  /** Collects the envelope's `messages`. */
  readonly notes: Diagnostic[];
}

/** The response of an endpoint: a result for the envelope, a bare body, or a whole response. */
export type Answer =
  | { readonly result: unknown; readonly info?: ResultInfo | CursorInfo }
  | { readonly bare: unknown; readonly headers?: Readonly<Record<string, string>> }
  | Response;

/**
 * A row of the table; `Path` is its path template, and `Query` declares its query parameters: they name what `handle`
 * reads.
 */
export interface Endpoint<Path extends string = string, Query extends Parameters = Parameters> {
  /** Area and use case, such as `tokens.rules.create`. */
  readonly id: EndpointId;
  readonly area: Area;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * Path template below the base path. `{intel}` and `{app_service}` are wire names; `{name}` is a parameter of
   * one segment, `{name+}` of one or more.
   */
  readonly path: Path;
  /** Whether the path begins at the base path or at the origin. Default `base`. */
  readonly mount?: "base" | "origin";
  /** Whether batch hosts have it too, at its path without the account. */
  readonly onBatchHosts?: boolean;
  /** Receives the whole path as sent, malformed percent-encoding included; its only parameter is `path`. */
  readonly takesRawPath?: boolean;
  readonly summary: string;
  /** Absent: the endpoint needs no credentials. */
  readonly permission?: Permission | typeof anyPermission;
  /** Schema of the JSON body, as far as a schema can state it; the service checks the rest. */
  readonly request?: z.ZodType;
  /** Schema of the multipart form. */
  readonly form?: z.ZodObject;
  /** Content types of a body of text. */
  readonly textTypes?: readonly string[];
  /** Needs the option `ingest`, and an API token or a client on this machine. */
  readonly takesObservations?: boolean;
  /** Whether a request may have no body at all. Default: a body is required. */
  readonly isBodyOptional?: boolean;
  /** The query parameters that are decoded; others are ignored. */
  readonly query?: Query;
  /** Body of a successful response. */
  readonly response: ResponseSchema;
  /** The same where the option `envelopes` is `everywhere`. Default: `response`. */
  readonly responseEverywhere?: ResponseSchema;
  /** Whether pages of other origins may use it: option `cors`. */
  readonly crossOrigin?: boolean;
  /** Body of the response when a dependency is unavailable. Default: the failure body. */
  readonly unavailable?: ResponseSchema;
  /** Whether an error can be a redirect, and have a status of an origin, from 500 on too, as plain text. */
  readonly passesErrors?: boolean;
  /** Sends errors as plain text with this header, and GET answers conditional requests. Default: errors in the failure body. */
  readonly plainTextErrors?: "imageErrorHeader" | typeof bindingErrorHeader;
  // A method, not a property: its parameter is compared bivariantly, so that rows of all paths fit one table.
  handle(call: Call<PathParameter<Path>, Query>): Promise<Answer>;
}

/** Types `params` and `query` of a row's `handle` by its path template and the parameters that it declares. */
export function endpoint<const Path extends string, Query extends Parameters = NoParameters>(
  row: Endpoint<Path, Query>,
): Endpoint {
  return row;
}

/**
 * Functions for the rows of one area, one for each method. GET requires the area's permission to read, the other methods
 * require its permission to write.
 */
export function endpointsOf(
  area: Area,
  permission: "token_validation" | "rulesets" | "brand_protection" | "images" | "proxy",
) {
  const rowsOf =
    (method: Endpoint["method"], action: "read" | "write") =>
    <const Path extends string, Query extends Parameters = NoParameters>(
      row: Omit<Endpoint<Path, Query>, "area" | "method" | "permission">,
    ): Endpoint =>
      endpoint({ ...row, area, method, permission: `${permission}:${action}` });
  return {
    get: rowsOf("GET", "read"),
    post: rowsOf("POST", "write"),
    put: rowsOf("PUT", "write"),
    patch: rowsOf("PATCH", "write"),
    remove: rowsOf("DELETE", "write"),
  };
}

interface ParameterFormat {
  readonly pattern: RegExp;
  /** The format in words. */
  readonly text: string;
}

const integerFormat: ParameterFormat = { pattern: /^(0|[1-9]\d{0,14})$/, text: integerText };

/** Parameters with the same format in all paths: identifiers of zones and accounts, and UUIDs (`spec`, `chosen`). */
export const parameterFormats: Readonly<Record<string, ParameterFormat>> = {
  zone_id: { pattern: /^[A-Za-z0-9_-]{1,64}$/, text: "1 to 64 letters, digits, `_` and `-`" },
  account_id: { pattern: /^[A-Za-z0-9_-]{1,64}$/, text: "1 to 64 letters, digits, `_` and `-`" },
  config_id: { pattern: uuidPattern, text: "a UUID" },
  rule_id: { pattern: uuidPattern, text: "a UUID" },
  query_id: integerFormat,
  domain_id: integerFormat,
  match_id: integerFormat,
  app_id: { pattern: /^[0-9a-f]{32}$/i, text: "32 hex digits" },
  ruleset_id: { pattern: /^[A-Za-z0-9_-]{1,64}$/, text: "1 to 64 letters, digits, `_` and `-`" },
  ruleset_rule_id: { pattern: /^[A-Za-z0-9_-]{1,64}$/, text: "1 to 64 letters, digits, `_` and `-`" },
  ruleset_phase: { pattern: /^[a-z0-9_]{1,64}$/, text: "the name of a phase" },
  ruleset_version: integerFormat,
  operation_id: { pattern: /^[0-9a-f]{32}$/, text: "32 hex digits" },
  list_id: { pattern: /^[A-Za-z0-9_-]{1,64}$/, text: "1 to 64 letters, digits, `_` and `-`" },
};
