/** Requests for tests of faults. */
import type { Edge } from "../../../src/edge.ts";
import { ruleBody } from "../../support/keys.ts";

export const base = "https://edge.test/client/v4";
export const rulesPath = "/zones/z1/token_validation/rules";

const headers = { authorization: "Bearer t" };

/** A request of the interface. */
export function requestOf(path: string, init: RequestInit = {}): Request {
  return new Request(`${base}${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

/** Creates a rule that needs no configuration. */
export function createRule(edge: Edge, init: RequestInit = {}): Promise<Response> {
  const body = JSON.stringify(ruleBody('http.request.method eq "GET"'));
  const json = { "content-type": "application/json", ...init.headers };
  return edge.fetch(requestOf(rulesPath, { method: "POST", body, ...init, headers: json }));
}

/** The number of rules that the edge has, read without HTTP. */
export async function countRules(edge: Edge): Promise<number> {
  return (await edge.tokens.rules.list("z1")).info.total_count;
}

/** The statuses of GET requests, one after another. */
export async function statusesOf(edge: Edge, count: number, path = rulesPath): Promise<readonly number[]> {
  const statuses = [];
  for (let i = 0; i < count; i++) statuses.push((await edge.fetch(requestOf(path))).status);
  return statuses;
}
