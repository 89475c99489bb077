/** Secrets never appear in responses, errors, logs and traces, and are not stored without need. */
import { exportJWK } from "jose";
import { expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { collectionNames } from "../../src/store/collections.ts";
import { mintToken } from "../../src/testing/tokens/mint.ts";
import { clientOf } from "../support/client.ts";
import { configBody, ruleBody, testKeys } from "../support/keys.ts";
import { addressOf } from "../support/places.ts";

const apiToken = "api-token-that-must-stay-private";
const signingKey = "signing-key-that-must-stay-private";
const world = {
  accounts: [{ id: "1", images: { signing_keys: [{ name: "default", value: signingKey }] } }],
  zones: [{ id: "1", account_id: "1" }],
  api_tokens: [{ token: apiToken, permissions: [] }],
};
const uuid = "00000000-0000-4000-8000-000000000000";
const ids = { config_id: uuid, rule_id: uuid, app_id: "0".repeat(32) };

function textOf(error: unknown): string {
  return error instanceof Error
    ? `${error.stack} ${JSON.stringify(error)} ${textOf(error.cause)}`
    : `${error}`;
}

test.each(endpoints.map((row) => [row.id, row] as const))("a failing store in %s", async (_id, row) => {
  const said: string[] = [];
  const onError = (error: unknown) => said.push(textOf(error));
  const edge = createEdge({ world, faults: [{ at: "store", status: 500 }], onError });
  const headers = { authorization: `Bearer ${apiToken}` };
  const response = await edge.fetch(new Request(addressOf(row, ids), { method: row.method, headers }));
  said.push(await response.text(), JSON.stringify([...response.headers]));
  expect(said.join("\n")).not.toMatch(/that-must-stay-private/);
});

test("a rejected token is not repeated in the response", async () => {
  for (const authorization of [`Bearer ${apiToken}x`, `Basic ${apiToken}`, `Bearer ${apiToken} ?`]) {
    const edge = createEdge({ world });
    const client = clientOf(edge, "/zones/1/token_validation");
    const response = await client("GET", "/config", undefined, { authorization });
    expect(await response.text()).not.toContain(apiToken);
  }
});

test("a repeated token of a world is not named in the problem", () => {
  const twice = { api_tokens: [...world.api_tokens, ...world.api_tokens] };
  for (const options of [{ world: twice }, { world, credentials: world.api_tokens }]) {
    let said = "";
    try {
      createEdge(options);
    } catch (error) {
      said = textOf(error);
    }
    expect(said).toContain("/api_tokens/1/token");
    expect(said).not.toContain(apiToken);
  }
});

test("private members of keys are neither stored nor repeated", async () => {
  const { es256, rs256 } = await testKeys();
  const [ec, rsa] = await Promise.all([exportJWK(es256.privateKey), exportJWK(rs256.privateKey)]);
  const secrets = [ec.d!, rsa.d!, rsa.p!, rsa.q!];
  const body = configBody([], {
    credentials: {
      keys: [
        { ...ec, ...es256.jwk },
        { ...rsa, ...rs256.jwk },
      ],
    },
  });
  for (const profile of ["spec", "provider"] as const) {
    const edge = createEdge({ profile });
    const client = clientOf(edge, "/zones/1/token_validation");
    const answers = [await (await client("POST", "/config", body)).text()];
    // A body that is cut off, and one with an invalid word.
    for (const text of [
      JSON.stringify(body).slice(0, -1),
      JSON.stringify(body).replace('"d":', '"d" :no'),
      `{"d":x"${secrets[0]}"}`,
      `no${secrets[0]}`,
    ]) {
      answers.push(await (await client("POST", "/config", text)).text());
    }
    const stored = await edge.store.read((tx) =>
      Promise.all(collectionNames.map((name) => tx.find(name, "1"))),
    );
    const everything = `${answers.join("\n")} ${JSON.stringify(stored)}`;
    for (const secret of secrets) {
      expect(everything).not.toContain(secret);
      // Nor a long part of it.
      expect(everything).not.toContain(secret.slice(0, 8));
    }
  }
});

test("a trace contains neither the token nor its signature", async () => {
  const { es256, rs256 } = await testKeys();
  const edge = createEdge();
  const client = clientOf(edge, "/zones/1/token_validation");
  const { result } = await client.ok("POST", "/config", configBody([es256]));
  await client.ok("POST", "/rules", ruleBody(`is_jwt_valid("${result.id}")`));
  const valid = await mintToken(es256, { exp: 4_000_000_000 });
  const forged = await mintToken(rs256, { exp: 4_000_000_000 });
  for (const token of [valid, forged, `${valid.slice(0, -4)}AAAA`, `${valid}.`]) {
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request("https://api.example.com/orders", { headers });
    const verdict = await edge.tokens.evaluate("1", request);
    const explained = JSON.stringify(verdict);
    const signature = token.split(".")[2]!;
    expect(explained).not.toContain(token);
    expect(explained).not.toContain(signature.slice(0, 20));
  }
});
