/** One mix of HTTP requests, the same over every store: three reads for each write. */
import { createEdge, type Store } from "edgeproof";
import { mintKey } from "edgeproof/testing";
import type { Body } from "./harness.ts";

const zone = "/zones/http/token_validation";
const intel = "/accounts/http/intel/v2/brand-protection";
const rules = 20;
const matches = 500;

/** Prepares a store and returns a function that sends the next request of the mix. */
export async function httpMixOf(store: Store): Promise<Body> {
  const edge = createEdge({ store });
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: "Bearer t", ...(body && { "content-type": "application/json" }) };
    const init = { method, headers, body: body ? JSON.stringify(body) : null };
    const response = await edge.fetch(new Request(`https://edge.test/client/v4${path}`, init));
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const key = await mintKey("ES256");
  const config = await send("POST", `${zone}/config`, {
    title: "IdP",
    description: "",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [key.jwk] },
  });
  const expression = `is_jwt_valid("${config.result.id}")`;
  const rule = { description: "", action: "log", enabled: true, expression, selector: {} };
  const created = await send(
    "POST",
    `${zone}/rules/bulk`,
    Array.from({ length: rules }, (_, i) => ({ ...rule, title: `${i}` })) as object,
  );
  await send("POST", `${intel}/domain/queries`, {
    tag: "t",
    string_matches: [{ pattern: "paypal", max_edit_distance: 0 }],
  });
  await edge.brand.observe(
    "http",
    Array.from({ length: matches }, (_, i) => `paypal-${i}.example`),
  );
  const listed = await send("GET", `${intel}/domain/matches?query_id=1&include_domain_id=true`);
  const ruleId = created.result[7].id;
  const domainId = listed.matches[0].domain_id;
  let title = 0;
  const mix = [
    () => send("GET", `${zone}/config/${config.result.id}`),
    () => send("GET", `${zone}/rules`),
    () => send("PATCH", `${zone}/rules/${ruleId}`, { title: `${title++}` }),
    () => send("GET", `${intel}/domain/matches?query_id=1`),
    () => send("GET", "/zones/http/app_service/apps"),
    () => send("POST", `${intel}/queries/1/matches/${domainId}/dismiss`),
    () => send("GET", `${zone}/rules/${ruleId}`),
    () => send("GET", `${intel}/domain/queries`),
  ];
  let next = 0;
  return () => mix[next++ % mix.length]!();
}
