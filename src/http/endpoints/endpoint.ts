/** What an endpoint is: one row of a table, from which routing, permissions and the interface document are made. */
import type { z } from "zod";
import type { Area, Note } from "../../errors.ts";
import type { Shape } from "../../schemas/envelope.ts";
import type { ResultInfo } from "../../service/paging.ts";
import type { Permission } from "../../service/permissions.ts";
import type { Services } from "../../service/services.ts";
import type { Credential } from "../requests/authentication.ts";
import type { WireNames } from "../wire-names.ts";

/** Where images are delivered on the interface's own origin (`observed`). */
export const deliveryPath = "/cdn-cgi/imagedelivery";

/** One request, taken apart. */
export interface Call {
  readonly request: Request;
  /** Path parameters, decoded and checked. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Reads the JSON body. @throws {ApiError} */
  json(maxBytes?: number): Promise<unknown>;
  readonly services: Services;
  readonly credential: Credential;
  readonly wire: WireNames;
  /** Where addresses that are handed out begin, without a slash at the end. */
  readonly publicBase: string;
  /** The path behind which the interface is mounted. */
  readonly basePath: string;
  /** Where delivery addresses begin, without a slash at the end. */
  readonly deliveryBase: string;
  /** What ends up in the envelope's `messages`. */
  readonly notes: Note[];
}

/** An endpoint's answer: a result for the envelope, a body as it is, or a whole response. */
export type Answer =
  | { readonly result: unknown; readonly info?: ResultInfo }
  | { readonly bare: unknown }
  | Response;

export interface Endpoint {
  /** Area and use case, such as `tokens.rules.create`. */
  readonly id: string;
  readonly area: Area;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * Path template behind the base path. `{intel}` and `{app_service}` are wire names; `{name}` is a parameter of
   * one segment, `{name+}` of one or more.
   */
  readonly path: string;
  /** Where the path begins: behind the base path, or at the origin itself. Default `base`. */
  readonly mount?: "base" | "origin";
  /** Takes the whole path as it was sent, a malformed percent-encoding included: its only parameter is `path`. */
  readonly takesRawPath?: boolean;
  readonly summary: string;
  /** Absent: no credentials are looked at. */
  readonly permission?: Permission;
  /** The body: JSON, by the schema that decodes it where it has one, or a form. What is decided beyond it is the engine's. */
  readonly request?: z.ZodType;
  readonly form?: z.ZodObject;
  /** Query parameters, by what their texts mean. */
  readonly query?: z.ZodObject;
  /** What a success is. */
  readonly response: Shape;
  /** The same where the option `envelopes` is `everywhere`. Default: no difference. */
  readonly responseEverywhere?: Shape;
  /** Refuses in plain text, and answers conditional requests. Default: the failure body. */
  readonly plainRefusals?: boolean;
  readonly handle: (call: Call) => Promise<Answer>;
}

/** Parameters whose form is the same everywhere: identifiers of zones and accounts, and UUIDs (`spec`, `chosen`). */
export const parameterForms: Readonly<Record<string, { readonly form: RegExp; readonly text: string }>> = {
  zone_id: { form: /^[A-Za-z0-9_-]{1,64}$/, text: "1 to 64 letters, digits, `_` and `-`" },
  account_id: { form: /^[A-Za-z0-9_-]{1,64}$/, text: "1 to 64 letters, digits, `_` and `-`" },
  config_id: { form: uuid(), text: "a UUID" },
  rule_id: { form: uuid(), text: "a UUID" },
  query_id: { form: /^\d{1,15}$/, text: "an integer" },
  domain_id: { form: /^\d{1,15}$/, text: "an integer" },
  app_id: { form: /^[0-9a-f]{32}$/i, text: "32 hex digits" },
};

function uuid(): RegExp {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
}
