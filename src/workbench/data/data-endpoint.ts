/** One request for data that the page sends: a row of the table in `handler.ts`. */
import type { Edge } from "../../edge.ts";

/** A request that passed the guard, or that a page sends to its own engines. */
export interface DataCall<Source = Edge> {
  /** The simulator whose data the page shows, or the part of it that the endpoint needs. */
  readonly edge: Source;
  /** Query of the address. */
  readonly query: URLSearchParams;
  /** The JSON body; undefined for `GET`. */
  readonly body: unknown;
  /** The request itself, for bodies that are not JSON. */
  readonly request: Request;
}

/** A row: `GET` reads and has no body, `POST` has a JSON body unless `isBinary`. */
export interface DataEndpoint<Source = Edge> {
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Maximum size of the body in bytes. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Whether the handler reads the body itself, as bytes. */
  readonly isBinary?: boolean;
  /** The result, which becomes JSON; a `Response` is sent as it is, with the headers of every response. */
  readonly handle: (call: DataCall<Source>) => unknown;
}

/** Rows by the name after `/data/`. */
export type DataEndpoints<Source = Edge> = Readonly<Record<string, DataEndpoint<Source>>>;
