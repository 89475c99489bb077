/** Token validation through the fetch handler, compared with a bare hono route that returns the same JSON. */

import { createEdge } from "edgeproof";
import { mintKey } from "edgeproof/testing";
import { Hono } from "hono";
import { measure, type Rows } from "./harness.ts";

const base = "https://edge.test/client/v4/zones/z1/token_validation";
/** Long: much code takes part in a request, and the peer's little code is compiled sooner. In milliseconds. */
const warmUpMs = 1_500;

const headers = { authorization: "Bearer t", "content-type": "application/json" };

export async function* benchHttp(): Rows {
  const edge = createEdge();
  const key = await mintKey("ES256");
  const body = JSON.stringify({
    title: "IdP",
    description: "",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [key.jwk] },
  });
  await edge.fetch(new Request(`${base}/config`, { method: "POST", headers, body }));
  const answer = await (await edge.fetch(new Request(`${base}/config`, { headers }))).json();
  const bare = new Hono().get("/client/v4/zones/:zone/token_validation/config", (c) =>
    c.json(answer as object),
  );
  const contest = {
    what: "http: list configurations, against a bare hono route with the same JSON",
    ours: async () => (await edge.fetch(new Request(`${base}/config`, { headers }))).text(),
    peer: async () => (await bare.fetch(new Request(`${base}/config`, { headers }))).text(),
    target: { atLeast: 0.55 },
  };
  yield measure(contest, { warmUpMs });
}
