/** Random changes of what is there are what they promise: taken, or refused for the one reason that they name, with nothing changed. */
import {
  brandArbitraries,
  createTestEdge,
  type InvalidBody,
  imageArbitraries,
  mintKey,
  proxyArbitraries,
  testNow,
  tokenArbitraries,
  uploadForm,
} from "edgeproof/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf, type Json, jsonOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";

const brand = brandArbitraries(fc);
const images = imageArbitraries(fc);
const proxy = proxyArbitraries(fc);
let tokens: ReturnType<typeof tokenArbitraries>;
beforeAll(async () => {
  tokens = tokenArbitraries(fc, [(await mintKey("ES256", "key-1")).jwk]);
});

/** A change, and what is looked at to see that nothing changed. */
interface Place {
  readonly method: "PATCH" | "PUT";
  readonly path: string;
  readonly list: string;
}

function sample<T>(arbitrary: fc.Arbitrary<T>): T {
  return fc.sample(arbitrary, { numRuns: 1, seed: 1 })[0]!;
}

async function expectTaken(client: Client, { method, path }: Place, bodies: fc.Arbitrary<unknown>) {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      expect((await client.ok(method, path, body)).success).toBe(true);
    }),
    { numRuns: 40 },
  );
}

async function expectRefused(client: Client, place: Place, wrong: fc.Arbitrary<InvalidBody>) {
  const before = await client.ok("GET", place.list);
  await fc.assert(
    fc.asyncProperty(wrong, async ({ body, code, pointer }) => {
      const response = await client(place.method, place.path, body);
      expect((await jsonOf(response.clone())).errors).toHaveLength(1);
      await expectFailure(response, { status: 400, code, pointer });
    }),
    { numRuns: 80 },
  );
  expect(await client.ok("GET", place.list)).toEqual(before);
}

describe("token validation", () => {
  async function fresh() {
    const client = clientOf(createTestEdge(), "/zones/z1/token_validation");
    const { id } = (await client.ok("POST", "/config", sample(tokens.configBody))).result;
    const rule = (await client.ok("POST", "/rules", sample(tokens.ruleBody([id])))).result;
    return { client, id, rule: rule.id as string };
  }

  test("changes of a configuration", async () => {
    const { client, id } = await fresh();
    const place: Place = { method: "PATCH", path: `/config/${id}`, list: "/config" };
    await expectTaken(client, place, tokens.configPatch);
    await expectRefused(client, place, tokens.invalidConfigPatch);
  });

  test("keys that replace others", async () => {
    const { client, id } = await fresh();
    const place: Place = { method: "PUT", path: `/config/${id}/credentials`, list: "/config" };
    await expectTaken(client, place, tokens.credentials);
    await expectRefused(client, place, tokens.invalidCredentials);
  });

  test("changes of a rule, alone and in bulk", async () => {
    const { client, id, rule } = await fresh();
    const place: Place = { method: "PATCH", path: `/rules/${rule}`, list: "/rules" };
    await expectTaken(client, place, tokens.rulePatch([id]));
    await expectRefused(client, place, tokens.invalidRulePatch([id]));
    const bulk = tokens.rulePatch([id]).map((patch) => [{ ...patch, id: rule }]);
    await expectTaken(client, { ...place, path: "/rules/bulk" }, bulk);
  });
});

test("changes of a domain query", async () => {
  const client = clientOf(createTestEdge(), "/accounts/a1/intel/v2/brand-protection");
  const created: Json = await client.ok("POST", "/domain/queries", sample(brand.domainQuery));
  const path = `/domain/queries/${created.query_id}`;
  const place: Place = { method: "PATCH", path, list: "/domain/queries" };
  await expectTaken(client, place, brand.domainQueryPatch);
  await expectRefused(client, place, brand.wrongDomainQueryPatch);
});

describe("images", () => {
  test("changes of a variant", async () => {
    const client = clientOf(createTestEdge(), "/accounts/a1/images/v1");
    const { id } = (await client.ok("POST", "/variants", sample(images.variant))).result.variant;
    const place: Place = { method: "PATCH", path: `/variants/${id}`, list: "/variants" };
    await expectTaken(client, place, images.variantPatch);
    await expectRefused(client, place, images.invalidVariantPatch);
  });

  test("changes of an image, and forms that ask for an upload address", async () => {
    const edge = createTestEdge();
    const client = clientOf(edge, "/accounts/a1/images");
    const form = (body: FormData, path: string) =>
      edge.fetch(
        new Request(`https://edge.test/client/v4/accounts/a1/images${path}`, {
          method: "POST",
          headers: { authorization: "Bearer t" },
          body,
        }),
      );
    // An image with another answer to requireSignedURLs is another one.
    const file = { bytes: sample(images.picture), filename: "a.png" };
    const uploaded = await form(uploadForm({ fields: {}, file }), "/v1");
    let { id } = (await jsonOf(uploaded)).result;
    await fc.assert(
      fc.asyncProperty(images.imagePatch, async (body) => {
        id = (await client.ok("PATCH", `/v1/${id}`, body)).result.id;
      }),
      { numRuns: 40 },
    );
    await expectRefused(
      client,
      { method: "PATCH", path: `/v1/${id}`, list: "/v1" },
      images.invalidImagePatch,
    );
    await fc.assert(
      fc.asyncProperty(
        images.directUpload(testNow),
        images.invalidDirectUpload(testNow),
        async (good, wrong) => {
          const fresh = createTestEdge();
          const ask = (body: FormData) =>
            fresh.fetch(
              new Request("https://edge.test/client/v4/accounts/a1/images/v2/direct_upload", {
                method: "POST",
                headers: { authorization: "Bearer t" },
                body,
              }),
            );
          const refused = await ask(uploadForm(wrong.upload));
          expect((await jsonOf(refused.clone())).errors).toHaveLength(1);
          const { code, pointer } = wrong;
          await expectFailure(refused, { status: 400, code, ...(pointer !== undefined && { pointer }) });
          expect((await ask(uploadForm(good))).status).toBe(200);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("changes of an application", async () => {
  const client = clientOf(createTestEdge(), "/zones/z1/app_service/apps");
  const { id } = (await client.ok("POST", "", sample(proxy.app))).result;
  await expectTaken(client, { method: "PATCH", path: `/${id}`, list: "" }, proxy.appPatch);
});
