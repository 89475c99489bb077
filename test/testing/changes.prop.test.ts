/** Generated changes of records are accepted, or rejected with the declared error and without effect. */
import {
  brandArbitraries,
  createTestEdge,
  imageArbitraries,
  mintKey,
  proxyArbitraries,
  testNow,
  tokenArbitraries,
  uploadForm,
} from "edgeproof/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { InvalidBody } from "../../src/testing/arbitraries/body-faults.ts";
import { type Client, clientOf, type Json, jsonOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";
import { runs } from "../support/runs.ts";

const brand = brandArbitraries(fc);
const images = imageArbitraries(fc);
const proxy = proxyArbitraries(fc);
let tokens: ReturnType<typeof tokenArbitraries>;
beforeAll(async () => {
  tokens = tokenArbitraries(fc, [(await mintKey("ES256", "key-1")).jwk]);
});

/** The endpoint of a change, and the list that shows whether a record changed. */
interface ChangeEndpoint {
  readonly method: "PATCH" | "PUT";
  readonly path: string;
  readonly list: string;
}

function sample<T>(arbitrary: fc.Arbitrary<T>): T {
  return fc.sample(arbitrary, { numRuns: 1, seed: 1 })[0]!;
}

async function expectAccepted(
  client: Client,
  { method, path }: ChangeEndpoint,
  bodies: fc.Arbitrary<unknown>,
) {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      expect((await client.ok(method, path, body)).success).toBe(true);
    }),
    { numRuns: runs(40) },
  );
}

async function expectRejected(client: Client, place: ChangeEndpoint, wrong: fc.Arbitrary<InvalidBody>) {
  const before = await client.ok("GET", place.list);
  await fc.assert(
    fc.asyncProperty(wrong, async ({ body, code, pointer }) => {
      const response = await client(place.method, place.path, body);
      expect((await jsonOf(response.clone())).errors).toHaveLength(1);
      await expectFailure(response, { status: 400, code, pointer });
    }),
    { numRuns: runs(80) },
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

  test("a valid change of a configuration is accepted, an invalid one rejected", async () => {
    const { client, id } = await fresh();
    const place: ChangeEndpoint = { method: "PATCH", path: `/config/${id}`, list: "/config" };
    await expectAccepted(client, place, tokens.configPatch);
    await expectRejected(client, place, tokens.invalidConfigPatch);
  });

  test("valid replacement keys are accepted, invalid ones rejected", async () => {
    const { client, id } = await fresh();
    const place: ChangeEndpoint = { method: "PUT", path: `/config/${id}/credentials`, list: "/config" };
    await expectAccepted(client, place, tokens.credentials);
    await expectRejected(client, place, tokens.invalidCredentials);
  });

  test("a valid change of a rule is accepted alone and in bulk, an invalid one rejected", async () => {
    const { client, id, rule } = await fresh();
    const place: ChangeEndpoint = { method: "PATCH", path: `/rules/${rule}`, list: "/rules" };
    await expectAccepted(client, place, tokens.rulePatch([id]));
    await expectRejected(client, place, tokens.invalidRulePatch([id]));
    const bulk = tokens.rulePatch([id]).map((patch) => [{ ...patch, id: rule }]);
    await expectAccepted(client, { ...place, path: "/rules/bulk" }, bulk);
  });
});

test("a valid change of a domain query is accepted, an invalid one rejected", async () => {
  const client = clientOf(createTestEdge(), "/accounts/a1/intel/v2/brand-protection");
  const created: Json = await client.ok("POST", "/domain/queries", sample(brand.domainQuery));
  const path = `/domain/queries/${created.query_id}`;
  const place: ChangeEndpoint = { method: "PATCH", path, list: "/domain/queries" };
  await expectAccepted(client, place, brand.domainQueryPatch);
  await expectRejected(client, place, brand.invalidDomainQueryPatch);
});

describe("images", () => {
  test("a valid change of a variant is accepted, an invalid one rejected", async () => {
    const client = clientOf(createTestEdge(), "/accounts/a1/images/v1");
    const { id } = (await client.ok("POST", "/variants", sample(images.variant))).result.variant;
    const place: ChangeEndpoint = { method: "PATCH", path: `/variants/${id}`, list: "/variants" };
    await expectAccepted(client, place, images.variantPatch);
    await expectRejected(client, place, images.invalidVariantPatch);
  });

  test("valid changes of images and valid upload requests are accepted, invalid ones rejected", async () => {
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
    // A change of requireSignedURLs gives the image a new id.
    const file = { bytes: sample(images.picture), filename: "a.png" };
    const uploaded = await form(uploadForm({ fields: {}, file }), "/v1");
    let { id } = (await jsonOf(uploaded)).result;
    await fc.assert(
      fc.asyncProperty(images.imagePatch, async (body) => {
        id = (await client.ok("PATCH", `/v1/${id}`, body)).result.id;
      }),
      { numRuns: runs(40) },
    );
    await expectRejected(
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
          const rejected = await ask(uploadForm(wrong.upload));
          expect((await jsonOf(rejected.clone())).errors).toHaveLength(1);
          const { code, pointer } = wrong;
          await expectFailure(rejected, { status: 400, code, ...(pointer !== undefined && { pointer }) });
          expect((await ask(uploadForm(good))).status).toBe(200);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

test("a valid change of an application is accepted", async () => {
  const client = clientOf(createTestEdge(), "/zones/z1/app_service/apps");
  const { id } = (await client.ok("POST", "", sample(proxy.app))).result;
  await expectAccepted(client, { method: "PATCH", path: `/${id}`, list: "" }, proxy.appPatch);
});
