/** Asks the engines of the playground as its page does, without a browser. */
import { queryOf } from "../../src/workbench/data/data-endpoint.ts";
import { playgroundEndpoints } from "../../src/workbench/playground/endpoints.ts";
import { rulesEdge } from "../../src/workbench/playground/rules-edge.ts";

/** The result of a request, and the text of the rules after it. */
export interface Asked<T> {
  readonly result: T;
  readonly text: string;
}

/** Asks about a text. Rejects as the page is answered. */
export async function askEngines<T>(text: string, name: string, body: object = {}): Promise<Asked<T>> {
  let changed = text;
  const edge = rulesEdge(text, (next) => {
    changed = next;
  });
  const sent = new URLSearchParams(body as Record<string, string>).toString();
  const query = queryOf(playgroundEndpoints[name] ?? {}, sent);
  const request = new Request("https://page.invalid/");
  const result = (await playgroundEndpoints[name]?.handle({ edge, query, body, request })) as T;
  return { result, text: changed };
}
