/** Random forms, bodies, queries and addresses to image hosting: always a response, never a partial change. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Profile } from "../../../src/core/profiles.ts";
import { collectionNames } from "../../../src/store/collections.ts";
import { jsonOf } from "../../support/client.ts";
import { damaged, nastyText } from "../../support/hostile.ts";
import { type ImageSetting, imageSetting, origin, png, storedImages } from "../../support/images.ts";
import { runs } from "../../support/runs.ts";

const profiles = ["spec", "provider"] as const;

async function setUp(profile: Profile): Promise<ImageSetting & { readonly uploadURL: string }> {
  const setting = imageSetting({ profile, clock: () => 1_000 });
  const draft = await jsonOf(await setting.post("/v2/direct_upload", { id: "draft" }));
  return { ...setting, uploadURL: draft.result.uploadURL };
}

async function stateOf(setting: ImageSetting): Promise<string> {
  const { blobs } = await storedImages(setting.edge);
  return setting.edge.store.read(async (tx) => {
    const parts: unknown[] = [blobs];
    for (const name of collectionNames)
      for (const scope of ["a1", "images"]) parts.push(await tx.find(name, scope));
    return JSON.stringify(parts);
  });
}

/** A failure has the failure body and has changed nothing. */
async function check(response: Response, setting: ImageSetting, before: string): Promise<void> {
  expect(response.status, await response.clone().text()).toBeLessThan(500);
  expect([408, 409, 429]).not.toContain(response.status);
  if (response.status < 400) return;
  const body = await jsonOf(response);
  expect(body).toMatchObject({ success: false, result: null, messages: [] });
  expect(body.errors[0]).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  expect(await stateOf(setting)).toBe(before);
}

const fieldName = fc.oneof(
  fc.constantFrom(
    "id",
    "url",
    "creator",
    "metadata",
    "metadata[a]",
    "metadata[__proto__][x]",
    "requireSignedURLs",
    "expiry",
  ),
  nastyText,
);
const fieldValue = fc.oneof(
  nastyText,
  fc.constantFrom("true", "false", "a/b", '{"__proto__":1}', "2030-01-01T00:00:00Z"),
);
const fields = fc.array(fc.tuple(fieldName, fieldValue), { maxLength: 5 });

describe.each(profiles)("%s", (profile) => {
  test.each(["/v1", "/v2/direct_upload", "upload address"])(
    "any form to %s gets a response",
    async (path) => {
      const setting = await setUp(profile);
      const file = await png();
      const files = fc.option(
        fc.oneof(fc.constant(file), fc.constant(file.subarray(0, 60)), fc.uint8Array()),
      );
      const url = path.startsWith("/") ? `${origin}/client/v4/accounts/a1/images${path}` : setting.uploadURL;
      await fc.assert(
        fc.asyncProperty(fields, files, async (pairs, bytes) => {
          const form = new FormData();
          for (const [name, value] of pairs) form.append(name.toWellFormed(), value.toWellFormed());
          if (bytes) form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), "a.png");
          const before = await stateOf(setting);
          const headers = { authorization: "Bearer t" };
          await check(
            await setting.edge.fetch(new Request(url, { method: "POST", headers, body: form })),
            setting,
            before,
          );
        }),
        { numRuns: runs(80) },
      );
    },
  );

  test.each([
    ["POST", "/v1/variants", { id: "v", options: { fit: "cover", width: 1, height: 1, metadata: "none" } }],
    ["PATCH", "/v1/variants/public", { options: { fit: "pad", width: 9, height: 9, metadata: "keep" } }],
    ["PATCH", "/v1/draft", { creator: "ada", metadata: { a: [1] }, requireSignedURLs: false }],
  ])("%s %s with one damaged value gets a response", async (method, path, valid) => {
    const setting = await setUp(profile);
    await fc.assert(
      fc.asyncProperty(damaged(valid), async (body) => {
        const before = await stateOf(setting);
        await check(await setting.client(method, path, body ?? null), setting, before);
      }),
      { numRuns: runs(80) },
    );
  });
});

test("any query to the lists gets a response", async () => {
  const setting = await setUp("spec");
  await setting.upload({ metadata: '{"a":{"b":1}}' });
  const name = fc.oneof(
    fc.constantFrom(
      "page",
      "per_page",
      "creator",
      "sort_order",
      "continuation_token",
      "meta.a.b[eq]",
      "meta.a[in:number]",
    ),
    fc.tuple(nastyText, nastyText).map(([path, operator]) => `meta.${path}[${operator}]`),
    nastyText,
  );
  const query = fc.array(fc.tuple(name, nastyText), { maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/v1", "/v2"), query, async (path, pairs) => {
      const search = new URLSearchParams(
        pairs.map(([key, value]): [string, string] => [key.toWellFormed(), value.toWellFormed()]),
      );
      await check(await setting.client("GET", `${path}?${search}`), setting, await stateOf(setting));
    }),
    { numRuns: runs(200) },
  );
});

test("any image id finds nothing, or its image", async () => {
  const setting = await setUp("spec");
  const id = fc.oneof(
    nastyText,
    fc.array(nastyText, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
  );
  await fc.assert(
    fc.asyncProperty(
      id,
      fc.constantFrom("GET", "PATCH", "DELETE"),
      fc.boolean(),
      async (text, method, whole) => {
        const path = whole
          ? encodeURIComponent(text.toWellFormed())
          : text.toWellFormed().split("/").map(encodeURIComponent).join("/");
        const body = method === "PATCH" ? {} : undefined;
        await check(await setting.client(method, `/v1/${path}`, body), setting, await stateOf(setting));
      },
    ),
    { numRuns: runs(200) },
  );
});

test("any address is delivered, or rejected as plain text", async () => {
  const setting = await setUp("spec");
  const { variants } = await setting.upload({ id: "a/b", requireSignedURLs: "true" });
  const { pathname } = new URL(variants[0]);
  const segment = fc.oneof(nastyText, fc.constantFrom(...pathname.split("/"), "%2F", "%", ".."));
  const search = fc.constantFrom(
    "",
    "?",
    "?sig=",
    "?exp=1",
    "?sig=00&exp=x",
    "?sig=%zz",
    `?sig=${"0".repeat(64)}&exp=99999999999`,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(segment, { minLength: 1, maxLength: 5 }),
      search,
      fc.boolean(),
      async (segments, query, raw) => {
        const path = segments.map((s) => (raw ? s : encodeURIComponent(s.toWellFormed()))).join("/");
        const url = `${origin}/cdn-cgi/imagedelivery/x${path.replaceAll(/[?#]/g, "")}${query}`;
        const response = await setting.edge.fetch(new Request(url));
        expect(response.status).toBeLessThan(500);
        expect(response.status).toBeGreaterThanOrEqual(400);
        // A path of dots leads elsewhere.
        if (!/^\/cdn-cgi\/imagedelivery\/./.test(new URL(url).pathname)) return;
        const code = /^err=(\d+)$/.exec(response.headers.get("x-image-error") ?? "")?.[1];
        expect(await response.text()).toMatch(new RegExp(`^ERROR ${code}: `));
      },
    ),
    { numRuns: runs(300) },
  );
});
