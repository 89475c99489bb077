/** A small client of the interface, against a handler in this process; validates responses against the OpenAPI document. */
import type { Edge } from "../../src/edge.ts";
import { validating } from "./interface.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into JSON bodies of every shape
export type Json = any;

/** The parsed body of a response. */
export function jsonOf(response: Response): Promise<Json> {
  return response.json() as Promise<Json>;
}

export interface Client {
  (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** The parsed body of a success; throws for another status than 200. */
  ok(method: string, path: string, body?: unknown): Promise<Json>;
}

/** Paths are relative to the base path followed by `prefix`. */
export function clientOf(edge: Pick<Edge, "fetch">, prefix = ""): Client {
  const send: Client = Object.assign(
    (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      validating(edge.fetch)(
        new Request(`https://edge.test/client/v4${prefix}${path}`, {
          method,
          headers: {
            authorization: "Bearer t",
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        }),
      ),
    {
      ok: async (method: string, path: string, body?: unknown): Promise<Json> => {
        const response = await send(method, path, body);
        const text = await response.text();
        if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        return JSON.parse(text);
      },
    },
  );
  return send;
}
