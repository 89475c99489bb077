/** One request for data that the page sends: a row of the table in `handler.ts`. */
import type { Edge } from "../../edge.ts";

/** A request that passed the guard. */
export interface DataCall {
  /** The simulator whose data the page shows. */
  readonly edge: Edge;
  /** Query of the address. */
  readonly query: URLSearchParams;
  /** The JSON body; undefined for `GET`. */
  readonly body: unknown;
  /** The request itself, for bodies that are not JSON. */
  readonly request: Request;
}

/** A row: `GET` reads and has no body, `POST` has a JSON body unless `isBinary`. */
export interface DataEndpoint {
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Maximum size of the body in bytes. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Whether the handler reads the body itself, as bytes. */
  readonly isBinary?: boolean;
  /** The result, which becomes JSON; a `Response` is sent as it is, with the headers of every response. */
  readonly handle: (call: DataCall) => unknown;
}

/** Rows by the name after `/data/`. */
export type DataEndpoints = Readonly<Record<string, DataEndpoint>>;
