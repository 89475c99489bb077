/** Random input of image hosting: valid input is accepted, invalid input is rejected for its declared reason. */
import { checkVariantOptions, parseMetadataFilters, validateImage } from "edgeproof/images";
import { createTestEdge, imageArbitraries, testNow, uploadForm } from "edgeproof/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { DeliveryTarget } from "../../src/testing/arbitraries/delivery.ts";
import { clientOf, jsonOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";
import { runs } from "../support/runs.ts";

const images = imageArbitraries(fc);

/** A client of an edge that has nothing yet. */
function fresh() {
  const edge = createTestEdge();
  const post = (form: FormData) =>
    edge.fetch(
      new Request("https://edge.test/client/v4/accounts/a1/images/v1", {
        method: "POST",
        headers: { authorization: "Bearer t" },
        body: form,
      }),
    );
  return { edge, post, client: clientOf(edge, "/accounts/a1/images") };
}

/** All codes that the cases of an arbitrary name. */
function codesOf(cases: fc.Arbitrary<{ readonly code: number }>): number[] {
  return [...new Set(fc.sample(cases, { numRuns: 1_000, seed: 1 }).map(({ code }) => code))].sort();
}

describe("pictures", () => {
  test("a valid image is accepted, and all types occur", async () => {
    const types = new Set<string>();
    await fc.assert(
      fc.asyncProperty(images.picture, async (bytes) => {
        const validated = await validateImage(bytes);
        expect(validated).toMatchObject({ ok: true });
        if (!validated.ok) return;
        const { type, frames } = validated.value;
        types.add(frames > 1 ? `animated ${type}` : type);
      }),
      // Always the same pictures, so that all types always occur.
      { numRuns: runs(100, 100), seed: 1 },
    );
    expect([...types].sort()).toEqual(["animated gif", "avif", "gif", "jpeg", "png", "svg", "webp"]);
  });

  test("an invalid one is rejected with its code", async () => {
    await fc.assert(
      fc.asyncProperty(images.invalidPicture, async ({ bytes, code }) => {
        expect(await validateImage(bytes)).toMatchObject({ ok: false, problems: [{ code }] });
      }),
      { numRuns: runs(100) },
    );
    expect(codesOf(images.invalidPicture)).toEqual([5400, 5413, 5415, 5443, 5455, 9422]);
  });
});

describe("variants", () => {
  test("valid options pass the check, and a valid body is accepted", async () => {
    await fc.assert(
      fc.asyncProperty(images.variantOptions, images.variant, async (options, body) => {
        expect(checkVariantOptions(options, { complete: true })).toEqual([]);
        const { result } = await fresh().client.ok("POST", "/v1/variants", body);
        expect(result.variant).toMatchObject(body);
      }),
      { numRuns: runs(40) },
    );
  });

  test("an invalid body is rejected with one problem, its code and its pointer", async () => {
    await fc.assert(
      fc.asyncProperty(images.invalidVariant, async ({ body, code, pointer }) => {
        const response = await fresh().client("POST", "/v1/variants", body);
        expect((await jsonOf(response.clone())).errors).toHaveLength(1);
        await expectFailure(response, { status: 400, code, pointer });
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("uploads", () => {
  test("a valid upload is accepted with its fields", async () => {
    await fc.assert(
      fc.asyncProperty(images.upload, async (upload) => {
        const response = await fresh().post(uploadForm(upload));
        const { result, messages } = await jsonOf(response);
        expect([response.status, messages]).toEqual([200, []]);
        const { id, metadata, requireSignedURLs = "false" } = upload.fields;
        if (id !== undefined) expect(result.id).toBe(id);
        if (metadata !== undefined) expect(result.meta).toEqual(JSON.parse(metadata));
        expect(String(result.requireSignedURLs)).toBe(requireSignedURLs);
      }),
      { numRuns: runs(60) },
    );
  });

  test("an invalid upload is rejected with one problem, its code and its pointer", async () => {
    await fc.assert(
      fc.asyncProperty(images.invalidUpload, async ({ upload, code, pointer }) => {
        const response = await fresh().post(uploadForm(upload));
        const { errors } = await jsonOf(response.clone());
        expect(errors).toHaveLength(1);
        await expectFailure(response, { status: response.status, code });
        expect(errors[0].source?.pointer).toBe(pointer);
      }),
      { numRuns: runs(150) },
    );
    expect(codesOf(images.invalidUpload)).toEqual([5400, 5411, 5413, 5415, 5443, 5455, 9422]);
  });
});

describe("metadata filters", () => {
  test("valid filters are parsed, and their metadata passes", () => {
    fc.assert(
      fc.property(images.metadataFilters, ({ query, metadata }) => {
        const parsed = parseMetadataFilters(query);
        expect(parsed.ok && parsed.value.matches(metadata)).toBe(true);
        expect(parsed.ok && parsed.value.matches({})).toBe(false);
      }),
      { numRuns: runs(300) },
    );
  });

  test("invalid filters are one problem with their code, and the list rejects them", async () => {
    const { client } = fresh();
    await fc.assert(
      fc.asyncProperty(images.invalidMetadataFilters, async ({ query, code }) => {
        const parsed = parseMetadataFilters(query);
        expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.code)).toEqual([code]);
        await expectFailure(await client("GET", `/v2?${query}`), { status: 400, code });
      }),
      { numRuns: runs(60) },
    );
  });
});

describe.each([
  ["for everyone", "false"],
  ["with a signature", "true"],
])("delivery %s", (_title, requireSignedURLs) => {
  const { edge, post, client } = fresh();
  let target: DeliveryTarget;

  beforeAll(async () => {
    const { result } = await client.ok("PUT", "/v1/keys/first");
    const key = requireSignedURLs === "true" ? { key: result.keys[0].value as string } : {};
    const [file] = fc.sample(images.picture, 1);
    const form = uploadForm({ fields: { requireSignedURLs }, file: { bytes: file!, filename: "a" } });
    const [address] = (await jsonOf(await post(form))).result.variants;
    target = { address, nowMs: testNow, ...key };
  });

  test("a valid address delivers the image", async () => {
    await fc.assert(
      fc.asyncProperty(images.delivery(target), async (address) => {
        expect((await edge.fetch(new Request(address))).status).toBe(200);
      }),
      { numRuns: runs(30) },
    );
  });

  test("an invalid one is rejected with its code", async () => {
    await fc.assert(
      fc.asyncProperty(images.invalidDelivery(target), async ({ address, code }) => {
        const response = await edge.fetch(new Request(address));
        expect(await response.text()).toMatch(new RegExp(`^ERROR ${code}: `));
      }),
      { numRuns: runs(100) },
    );
    expect(codesOf(images.invalidDelivery(target))).toEqual(
      requireSignedURLs === "true" ? [9401, 9404, 9425] : [9401, 9404],
    );
  });
});
