/** The messages of brand protection as a user reads them: code, pointer, message. */
import { createEdge } from "edgeproof";
import { normalizeHost } from "edgeproof/brand";
import { lookAlikes } from "edgeproof/testing";
import { describe, expect, test } from "vitest";

const string_matches = [{ pattern: "paypal", max_edit_distance: 1 }];
const query = { tag: "ours", string_matches };
const account = "/client/v4/accounts/a1/intel/v2/brand-protection";

async function problems(method: string, path: string, body?: unknown): Promise<readonly string[]> {
  const edge = createEdge({ limits: { domainQueriesPerAccount: 1, logoBytes: 20 } });
  await edge.brand.queries.create("a1", query);
  const headers = { authorization: "Bearer any", "content-type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await edge.fetch(new Request(`https://edge.test${account}${path}`, init));
  const { errors } = (await response.json()) as {
    errors: { code: number; message: string; source?: { pointer: string } }[];
  };
  return errors.map(({ code, message, source }) => `${code} ${source?.pointer ?? "-"} ${message}`);
}

describe("requests are rejected with", () => {
  test.each<[string, string, unknown, string[]]>([
    [
      "POST",
      "/domain/queries",
      { tag: "t", string_matches: [{ pattern: "", max_edit_distance: 9 }] },
      [
        "7001 /string_matches/0/pattern `pattern` must be 1 to 200 characters; found 0 in ``.",
        "7001 /string_matches/0/max_edit_distance `max_edit_distance` must be an integer from 0 to 3; found `9`.",
      ],
    ],
    [
      "POST",
      "/domain/queries",
      { ...query, min_time: "now" },
      ["7001 /min_time `min_time` must be an RFC 3339 time such as `2026-01-31T12:00:00Z`; found `now`."],
    ],
    [
      "POST",
      "/domain/queries",
      { ...query, min_time: "2026-01-02T00:00:00Z", max_time: "2026-01-01T00:00:00Z" },
      [
        "7001 /min_time `min_time` must not be later than `max_time` `2026-01-01T00:00:00Z`; found `2026-01-02T00:00:00Z`.",
      ],
    ],
    ["POST", "/domain/queries", query, ["7001 - An account can have at most 1 domain query; found 1."]],
    ["PATCH", "/domain/queries/7", {}, ["7002 - There is no domain query `7`."]],
    [
      "GET",
      "/domain/queries?id=x",
      undefined,
      ["7001 - `id` must be an integer without leading zeros; found `x`."],
    ],
    [
      "GET",
      "/domain/matches",
      undefined,
      ["7001 - `query_id` is missing; it must be a list, each item an integer without leading zeros."],
    ],
    [
      "GET",
      "/domain/matches?query_id=1&limit=0",
      undefined,
      ["7001 - `limit` must be an integer without leading zeros, from 1; found `0`."],
    ],
    [
      "GET",
      "/domain/matches?query_id=1&orderBy=id",
      undefined,
      ["7001 - `orderBy` must be `domain`, `first_seen` or `registrar`; found `id`."],
    ],
    [
      "GET",
      "/domain/matches?query_id=1&include_dismissed=1",
      undefined,
      ["7001 - `include_dismissed` must be `true` or `false`; found `1`."],
    ],
    [
      "POST",
      "/logo/queries",
      { tag: "l", image_data: "!", similarity_threshold: 0.9 },
      ["7001 /image_data The image must be base64, with or without a data URI."],
    ],
    [
      "POST",
      "/logo/queries",
      { tag: "l", image_data: "", similarity_threshold: 0.9 },
      ["7001 /image_data The image must be an image file; found no bytes."],
    ],
    [
      "POST",
      "/logo/queries",
      { tag: "l", image_data: "AQID", similarity_threshold: 0.9 },
      ["7001 /image_data The image must be PNG or JPEG; found an unknown format."],
    ],
    [
      "POST",
      "/logo/queries",
      { tag: "l", image_data: "A".repeat(40), similarity_threshold: 0.9 },
      ["7001 /image_data The image must be at most 20 bytes."],
    ],
    [
      "GET",
      "/logo/matches",
      undefined,
      ["7001 - `query_id` is missing; it must be an integer without leading zeros."],
    ],
  ])("%s %s %j", async (method, path, body, expected) => {
    expect(await problems(method, path, body)).toEqual(expected);
  });
});

test("invalid records of a feed of names are reported with their member", async () => {
  const feed = ["a b.com", 7, { domain: "a.com", first_seen: "now" }];
  const { invalidRecords } = await createEdge().brand.observe("a1", feed as string[]);
  expect(invalidRecords).toEqual([
    { line: 1, message: "A host name cannot contain ` `; found `a b.com`." },
    { line: 2, message: "A record must be a name or an object with `domain`; found `7`." },
    { line: 3, message: "`first_seen` must be an RFC 3339 time; found `now`." },
  ]);
  await expect(createEdge().brand.observe("a1", 7 as never)).rejects.toThrow(
    "The feed must be an array, an iterable or an async iterable; found `7`.",
  );
});

test("invalid records of a feed of pictures are reported with their member", async () => {
  const feed = [7, { image: 7 }, { image: "AQID" }, { image: "AQID", matched_at: "now" }];
  const { invalidRecords } = await createEdge().brand.observeImages("a1", feed as never[]);
  expect(invalidRecords.map(({ message }) => message)).toEqual([
    "A record must be an object with `image`; found `7`.",
    "`image` must be bytes or a base64 string; found `7`.",
    "The image must be PNG, JPEG, WebP, GIF or AVIF; found an unknown format.",
    "`matched_at` must be an RFC 3339 time; found `now`.",
  ]);
});

test.each([
  ["", "A host name must not be empty."],
  ["a..com", "A host name cannot have an empty label; found `a..com`."],
  [`${"a.".repeat(126)}com`, /^A host name must be at most 253 characters; found 255 in `a\.a\./],
  [`${"a".repeat(64)}.com`, /^A label must be at most 63 characters; found 64 in `aaa/],
])("the host name %j is rejected", (name, message) => {
  const result = normalizeHost(name);
  expect(result.ok ? "" : result.problems[0].message).toMatch(message);
});

test("look-alikes need a registrable label and known techniques", () => {
  expect(() => [...lookAlikes("com")]).toThrow(
    "The domain must have a registrable label, such as paypal.com; found `com`.",
  );
  expect(() => [...lookAlikes("paypal.com", { kinds: ["typo" as "other" as never] })]).toThrow(
    /^`kinds` must have only homoglyph, .*; found `typo`\.$/,
  );
});
