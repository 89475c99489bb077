/** A zone with regular expressions, custom rules that verify an HMAC, and keys in PEM; its verdicts as JSON. */
import { compileZone, keysFromJwks, parseExpression, prepareRegularExpressions } from "edgeproof/tokens";
import type { ScenarioInput } from "../scenario-input.ts";

export async function run({ keys, tokens, documents, nowMs, timed }: ScenarioInput): Promise<unknown> {
  const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
  const zone = await compileZone(
    {
      configs: [
        {
          id,
          token_sources: ['http.request.headers["authorization"][0]'],
          credentials: { keys },
        },
      ],
      rules: [
        {
          id: "r1",
          action: "block",
          enabled: true,
          expression: `http.request.uri.path matches "^/(?:signed|x|v[0-9]+/(?:[a-z]|ü)+)$" and not is_jwt_valid("${id}")`,
          selector: { include: [{ host: ["api.example.com"] }] },
        },
      ],
      rulesets: [
        {
          id: "c1",
          kind: "zone",
          phase: "http_request_firewall_custom",
          rules: [
            {
              id: "h1",
              action: "block",
              expression: `http.request.uri.path eq "/signed" and not is_timed_hmac_valid_v0("${timed.key}", http.request.uri.query, 3600, http.request.timestamp.sec, 1)`,
            },
            {
              id: "h2",
              action: "block",
              expression: 'decode_base64(http.request.headers["x-note"][0]) contains "schädlich"',
            },
          ],
        },
      ],
    },
    { clock: () => nowMs, sharedSecrets: "accept" },
  );
  const verdicts = [];
  for (const token of tokens)
    for (const path of ["/v1/users", "/other"]) {
      const headers: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
      const verdict = await zone.evaluate({
        method: "GET",
        url: `https://api.example.com${path}`,
        headers,
      });
      verdicts.push([path, verdict.action, verdict.explain()]);
    }
  const custom = [];
  for (const [path, note] of [
    [`/signed?${timed.query}`, ""],
    [`/signed?${timed.query.replace(/.$/, "A")}`, ""],
    ["/x", "c2Now6RkbGljaA=="],
    ["/x", "aGFybWxvcw=="],
  ] as const) {
    const request = { method: "GET", url: `https://api.example.com${path}`, headers: { "x-note": note } };
    custom.push((await zone.evaluate(request)).action);
  }
  await prepareRegularExpressions();
  return {
    verdicts,
    custom,
    parsed: ['http.host matches "("', "http.host eq", 'http.host eq "ä"'].map((text) =>
      parseExpression(text),
    ),
    keys: documents.map((document) => keysFromJwks(document, { kid: "k" })),
  };
}
