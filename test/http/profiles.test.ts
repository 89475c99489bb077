/** Rows of the profiles whose effect is seen over HTTP only together with an evaluation, or with an upload. */
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../src/edge.ts";
import { type MintedKey, mintKey, mintToken } from "../../src/testing/tokens/mint.ts";
import { clientOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";
import { imageSetting } from "../support/images.ts";
import { configBody, ruleBody } from "../support/keys.ts";

const profiles = ["spec", "provider"] as const;
const nowSeconds = 1_800_000_000;
let key: MintedKey;
beforeAll(async () => {
  key = await mintKey("ES256", "k");
});

/** An edge whose configuration and rules are created over HTTP, and what it decides about a token. */
async function created(
  profile: (typeof profiles)[number],
  actions: readonly ("log" | "block")[],
): Promise<{ readonly decide: (claims: object) => Promise<string> }> {
  const edge: Edge = createEdge({
    profile,
    world: { zones: [{ id: "z1", name: "example.com" }] },
    clock: () => nowSeconds * 1_000,
  });
  const client = clientOf(edge, "/zones/z1/token_validation");
  const sources = { token_sources: ['http.request.headers["x"][0]'] };
  const { id } = (await client.ok("POST", "/config", configBody([key], sources))).result;
  for (const action of actions)
    await client.ok("POST", "/rules", ruleBody(`is_jwt_valid("${id}")`, { action }));
  return {
    decide: async (claims) => {
      const headers = { x: await mintToken(key, { ...claims }) };
      const request = { method: "GET", url: "https://api.example.com/", headers };
      return (await edge.tokens.evaluate("z1", request)).action;
    },
  };
}

test("precedence: all rules decide with the profile spec, the first enabled one with provider", async () => {
  const expired = { exp: nowSeconds - 3_600 };
  const decided = profiles.map(async (profile) => (await created(profile, ["log", "block"])).decide(expired));
  expect(await Promise.all(decided)).toEqual(["block", "log"]);
});

test.each([
  ["spec", 0],
  ["provider", 60],
] as const)(
  "clockToleranceSeconds: the profile %s accepts tokens %d seconds after exp and before nbf",
  async (profile, s) => {
    const { decide } = await created(profile, ["block"]);
    const late = [await decide({ exp: nowSeconds - s + 1 }), await decide({ exp: nowSeconds - s })];
    const early = [await decide({ nbf: nowSeconds + s }), await decide({ nbf: nowSeconds + s + 1 })];
    expect([late, early]).toEqual([
      ["allow", "block"],
      ["allow", "block"],
    ]);
  },
);

describe("customImageIds", () => {
  const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";
  const forms = [{ id: uuid }, { id: "summer", requireSignedURLs: "true" }];

  test("the profile spec accepts a UUID, and an id with signatures, and says what the provider rejects", async () => {
    const { client, post } = imageSetting();
    for (const form of forms) {
      const response = await post("/v2/direct_upload", form);
      const { result, messages } = (await response.json()) as {
        result: { id: string };
        messages: { message: string }[];
      };
      expect([response.status, result.id]).toEqual([200, form.id]);
      expect(messages.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^The provider rejects this: /),
      ]);
    }
    await client.ok("GET", `/v1/${uuid}`);
  });

  test("the profile provider rejects both, at creation and at an edit, and stores nothing", async () => {
    const { client, post, upload } = imageSetting({ profile: "provider" });
    for (const form of forms)
      await expectFailure(await post("/v2/direct_upload", form), { status: 400, code: 5411 });
    expect((await client.ok("GET", "/v1")).result.images).toEqual([]);
    await upload({ id: "summer" });
    const signed = await client("PATCH", "/v1/summer", { requireSignedURLs: true });
    await expectFailure(signed, { status: 400, code: 5411 });
    expect((await client.ok("GET", "/v1/summer")).result).toMatchObject({
      id: "summer",
      requireSignedURLs: false,
    });
  });
});
