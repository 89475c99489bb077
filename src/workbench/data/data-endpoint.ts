/** One request for data that the page sends: a row of the table in `handler.ts`. */
import type { Edge } from "../../edge.ts";
import { decodeQuery } from "../../http/requests/query.ts";
import {
  aText,
  type NoParameters,
  type Parameters,
  type QueryOf,
  withDefault,
} from "../../schemas/parameters.ts";

/** A request that passed the guard, or that a page sends to its own engines. */
export interface DataCall<Source = Edge, Query extends Parameters = NoParameters> {
  /** The simulator whose data the page shows, or the part of it that the endpoint needs. */
  readonly edge: Source;
  /** Declared parameters of the address, decoded. */
  readonly query: QueryOf<Query>;
  /** The JSON body; undefined for `GET`. */
  readonly body: unknown;
  /** The request itself, for bodies that are not JSON. */
  readonly request: Request;
}

/** A row: `GET` reads and has no body, `POST` has a JSON body unless `isBinary`. */
export interface DataEndpoint<Source = Edge, Query extends Parameters = Parameters> {
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Maximum size of the body in bytes. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Whether the handler reads the body itself, as bytes. */
  readonly isBinary?: boolean;
  /** The parameters that are decoded; others are ignored. */
  readonly query?: Query;
  /** The result, which becomes JSON; a `Response` is sent as it is, with the headers of every response. */
  handle(call: DataCall<Source, Query>): unknown;
}

/** A row that reads the parameters that it declares. */
export function reads<Source, Query extends Parameters>(
  query: Query,
  handle: (call: DataCall<Source, NoInfer<Query>>) => unknown,
): DataEndpoint<Source> {
  return { method: "GET", query, handle };
}

/** An id; one that is missing is empty, and not found. */
export const anId = withDefault(aText("an id", { mayBeEmpty: true }), "");

/** A row's parameters, decoded. @throws {ApiError} 10400 */
export function queryOf(row: Pick<DataEndpoint<never>, "query">, query: string): QueryOf<Parameters> {
  return decodeQuery(row.query ?? {}, query, "shared");
}

/** Rows by the name after `/data/`. */
export type DataEndpoints<Source = Edge> = Readonly<Record<string, DataEndpoint<Source>>>;
