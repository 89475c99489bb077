/** Members of responses that a world file may repeat, its profile, and its proxy applications and images. */
import { describe, expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../src/edge.ts";
import { InvalidInputError } from "../../src/errors.ts";
import type { World } from "../../src/service/world/schema.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/port.ts";
import { clientOf, type Json } from "../support/client.ts";
import { imageSetting, png } from "../support/images.ts";
import { configBody, ruleBody, testKeys } from "../support/keys.ts";

const url = "https://api.example.com/users";

/** An edge whose world is applied, and the lines of the start. */
async function started(
  world: unknown,
  options: EdgeOptions = {},
): Promise<{ readonly edge: Edge; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const edge = createEdge({ ...options, world: world as World, onNote: (line) => lines.push(line) });
  await edge.store.read(async () => {});
  return { edge, lines };
}

/** The problems of a world as `pointer: message`. */
async function problemsOf(world: unknown, options: EdgeOptions = {}): Promise<readonly string[]> {
  const error = await started(world, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InvalidInputError)) throw new Error(`expected problems; found ${error}`);
  return error.problems.map(({ pointer, message }) => `${pointer}: ${message}`);
}

describe("responses of the interface", () => {
  test("can be pasted: configurations, rules, queries, variants, keys, applications and operations", async () => {
    const { es256 } = await testKeys();
    const source = createEdge();
    const zone = clientOf(source, "/zones/z1");
    const account = clientOf(source, "/accounts/a1");
    const config = (await zone.ok("POST", "/token_validation/config", configBody([es256]))).result;
    await zone.ok("POST", "/token_validation/rules", ruleBody(`is_jwt_valid("${config.id}")`));
    const rules = (await zone.ok("GET", "/token_validation/rules")).result;
    const body = { protocol: "tcp/22", dns: { type: "CNAME", name: "ssh.example.com" } };
    const application = (
      await zone.ok("POST", "/app_service/apps", { ...body, origin_direct: ["tcp://192.0.2.1:22"] })
    ).result;
    const keys = (await account.ok("GET", "/images/v1/keys")).result.keys;
    const operation = { operation_id: "o", method: "GET", host: "api.example.com", endpoint: "/users" };
    const options = { fit: "pad", width: 1, height: 1, metadata: "none" };
    const variant = { id: "saved", options, never_require_signed_urls: true };
    const { edge, lines } = await started({
      accounts: [{ id: "a1", images: { signing_keys: keys, variants: [variant] } }],
      zones: [
        {
          id: "z1",
          token_validation: {
            configs: [config],
            rules: [{ ...rules[0], selector: { ...rules[0].selector, exclude: null }, modified_by: "me" }],
            operations: [{ ...operation, last_updated: config.created_at, features: {} }],
          },
          proxy: { applications: [application] },
        },
      ],
    });
    const at = "/zones/0/token_validation";
    expect(lines.toSorted()).toEqual(
      [
        `world: \`last_updated\` is a member of responses and was ignored (3 times, first at ${at}/configs/0/last_updated)`,
        `world: \`created_at\` is a member of responses and was ignored (2 times, first at ${at}/configs/0/created_at)`,
        `world: \`exclude\` is null, which counts as missing (at ${at}/rules/0/selector/exclude)`,
        `world: \`modified_by\` is a member of responses and was ignored (at ${at}/rules/0/modified_by)`,
        `world: \`features\` is a member of responses and was ignored (at ${at}/operations/0/features)`,
        "world: `created_on` is a member of responses and was ignored (at /zones/0/proxy/applications/0/created_on)",
        "world: `modified_on` is a member of responses and was ignored (at /zones/0/proxy/applications/0/modified_on)",
        "world: `never_require_signed_urls` was read as `neverRequireSignedURLs` (at /accounts/0/images/variants/0/never_require_signed_urls)",
      ].toSorted(),
    );
    const copy = clientOf(edge, "/zones/z1");
    expect((await copy.ok("GET", "/token_validation/rules")).result[0].expression).toBe(rules[0].expression);
    expect((await copy.ok("GET", "/app_service/apps")).result).toMatchObject([{ id: application.id }]);
    expect((await edge.tokens.evaluate("z1", { method: "GET", url })).action).toBe("block");
  });

  test("are read where they name a member differently: domain queries, logo queries and provider applications", async () => {
    const picture = (await png()).toString("base64");
    const { edge, lines } = await started({
      accounts: [
        {
          id: "a1",
          brand: {
            queries: [
              {
                query_id: 7,
                query_tag: "brand",
                created: "2026-01-01T00:00:00Z",
                scan: false,
                parameters: {
                  string_matches: [{ pattern: "example", max_edit_distance: 1 }],
                  max_time: null,
                },
              },
            ],
            logo_queries: [
              { id: 3, tag: "logo", similarity_threshold: 0.8, image_data: picture, store_path: "x" },
            ],
          },
        },
      ],
      zones: [
        {
          id: "z1",
          proxy: {
            applications: [
              {
                protocol: "tcp/22",
                dns: { type: "CNAME", name: "ssh.example.com" },
                origin_direct: ["tcp://192.0.2.1:22"],
                argo_smart_routing: false,
                virtual_network_id: null,
              },
            ],
          },
        },
      ],
    });
    expect(lines.filter((line) => line.includes("read as"))).toEqual([
      "world: `query_tag` was read as `tag` (at /accounts/0/brand/queries/0/query_tag)",
      "world: the members of `parameters` were read as those of the object around it (at /accounts/0/brand/queries/0/parameters)",
      "world: `image_data` was read as `image` (at /accounts/0/brand/logo_queries/0/image_data)",
      "world: `argo_smart_routing` was read as `smart_routing` (at /zones/0/proxy/applications/0/argo_smart_routing)",
    ]);
    const client = clientOf(edge);
    expect(
      (await client.ok("GET", "/accounts/a1/intel/v2/brand-protection/domain/queries"))[0],
    ).toMatchObject({
      query_tag: "brand",
      parameters: { string_matches: [{ pattern: "example", max_edit_distance: 1 }] },
    });
  });

  test("keep a required member that is null missing, and a name of a response beside its own name unknown", async () => {
    expect(await problemsOf({ zones: [{ id: null }] })).toEqual([
      "/zones/0/id: `zones.0.id` is missing; it must be a string.",
    ]);
    const query = {
      tag: "a",
      query_tag: "b",
      string_matches: [{ pattern: "example", max_edit_distance: 0 }],
    };
    expect(await problemsOf({ accounts: [{ id: "a", brand: { queries: [query] } }] })).toEqual([
      expect.stringContaining("/accounts/0/brand/queries/0/query_tag: `query_tag` is not a member"),
    ]);
  });

  test("leave the metadata of an image and the value of the caller as they are", async () => {
    const image = (await png()).toString("base64");
    const metadata = { created_at: 1, none: null, image_path: "x" };
    const world = {
      accounts: [{ id: "a1", images: { images: [{ id: "one", image, metadata, creator: null }] } }],
    };
    const before = structuredClone(world);
    const { edge } = await started(world);
    expect(world).toEqual(before);
    const { result } = await clientOf(edge).ok("GET", "/accounts/a1/images/v1/one");
    expect(result.meta).toEqual(metadata);
  });

  test("with names of prototypes are rejected as unknown members", async () => {
    const world = JSON.parse('{ "__proto__": { "zones": [] }, "constructor": 1 }');
    expect((await problemsOf(world)).map((line) => line.split(":")[0])).toEqual([
      "/__proto__",
      "/constructor",
    ]);
  });
});

describe("the profile of a world", () => {
  const nameOf = async ({ fetch }: Edge) =>
    (await fetch(new Request("https://edge.test/client/v4/zones"))).headers;

  test("applies when no option names one", async () => {
    expect((await nameOf(createEdge({ world: { profile: "provider" } }))).has("cf-ray")).toBe(true);
    expect((await nameOf(createEdge({ world: {} }))).has("cf-ray")).toBe(false);
    const both = createEdge({ profile: "spec", world: { profile: "provider" } });
    expect((await nameOf(both)).has("cf-ray")).toBe(false);
  });

  test.each(["other", "constructor", 5, {}])("%j is rejected as a value of the world", async (profile) => {
    expect(await problemsOf({ profile })).toEqual([
      expect.stringMatching(/^\/profile: `profile` must be `spec` or `provider`; found/),
    ]);
  });
});

const application = (dns: string, more: object = {}) => ({
  protocol: "tcp/22",
  dns: { type: "CNAME", name: dns },
  origin_direct: ["tcp://192.0.2.1:22"],
  ...more,
});

const appsWorld = (...applications: readonly object[]) => ({
  zones: [{ id: "z1", name: "example.com", proxy: { applications } }],
});

const id = "0123456789ABCDEF0123456789abcdef";

describe("proxy applications of a world", () => {
  const apps = async (edge: Edge): Promise<Json[]> =>
    (await clientOf(edge).ok("GET", "/zones/z1/app_service/apps")).result;

  test("are stored with their defaults, and keep their ids", async () => {
    const { edge } = await started(
      appsWorld(application("a.example.com", { id }), application("b.example.com")),
    );
    expect(await apps(edge)).toMatchObject([
      { id: id.toLowerCase(), dns: { name: "a.example.com" }, tls: "off", traffic_type: "direct" },
      { id: expect.stringMatching(/^[0-9a-f]{32}$/), dns: { name: "b.example.com" } },
    ]);
  });

  test("belong to the store after the first start; a difference is reported", async () => {
    const store = createMemoryStore();
    const world = appsWorld(application("a.example.com", { id }), application("b.example.com"));
    const first = await started(world, { store });
    expect(first.lines).toEqual([]);
    expect((await started(world, { store })).lines).toEqual([]);
    await clientOf(first.edge).ok("DELETE", `/zones/z1/app_service/apps/${id}`);
    const again = await started(world, { store });
    expect(again.lines).toEqual([
      "world: zone `z1`: the store keeps its proxy applications (1 of the world missing)",
    ]);
    expect(await apps(again.edge)).toHaveLength(1);
  });

  test("are validated one by one, with pointers into the world", async () => {
    const wrong = application("a.example.com", { origin_direct: ["tcp://2001:db8::1:22"] });
    expect(await problemsOf(appsWorld(application("b.example.com"), wrong, 5 as never))).toEqual([
      "/zones/0/proxy/applications/2: `zones.0.proxy.applications.2` must be an object; found `5`.",
    ]);
    expect(await problemsOf(appsWorld(application("b.example.com"), wrong, { id: "x" }))).toEqual([
      expect.stringMatching(/^\/zones\/0\/proxy\/applications\/1\/origin_direct\/0: /),
      "/zones/0/proxy/applications/2/id: `id` must be 32 hexadecimal digits; found `x`.",
      expect.stringMatching(/^\/zones\/0\/proxy\/applications\/2/),
      expect.stringMatching(/^\/zones\/0\/proxy\/applications\/2/),
    ]);
    const twice = appsWorld(
      application("a.example.com", { id }),
      application("b.example.com", { id: id.toLowerCase() }),
    );
    expect(await problemsOf(twice)).toEqual([expect.stringContaining("`id` must be unique in the zone; ")]);
  });

  test("are validated with the facts about the account, zones and other applications; nothing is stored", async () => {
    const store: Store = createMemoryStore();
    const world = {
      accounts: [{ id: "a", proxy: { plan: "pay-as-you-go" } }],
      zones: [
        {
          id: "z1",
          name: "example.com",
          proxy: { applications: [application("a.example.com", { tls: "off" })] },
        },
      ],
    };
    expect(await problemsOf(world, { store })).toEqual([
      expect.stringMatching(/^\/zones\/0\/proxy\/applications\/0\/tls: /),
    ]);
    const taken = {
      zones: [
        { id: "z1", name: "example.com", proxy: { hostnames: ["a.example.com"] } },
        { id: "z2", name: "example.net", proxy: { applications: [application("a.example.com")] } },
      ],
    };
    expect(await problemsOf(taken, { store })).toEqual([
      expect.stringMatching(/^\/zones\/1\/proxy\/applications\/0\/dns\/name: /),
    ]);
    expect(await store.read((tx) => tx.find("zones", ""))).toEqual([]);
  });
});

test("createEdge rejects an application that the facts of the world reject, before any request", () => {
  const world: World = {
    accounts: [{ id: "a", proxy: { plan: "pay-as-you-go" } }],
    zones: ["example.com", "example.net"].map((name, i) => ({
      id: `z${i}`,
      name,
      proxy: { applications: [{ ...application(`a.${name}`), ...(i === 1 && { id: "0".repeat(32) }) }] },
    })),
  };
  expect(() => createEdge({ world })).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ code: 11034, pointer: "/zones/1/proxy/applications/0/protocol" })],
    }),
  );
});

describe("images of a world", () => {
  const worldOf = (images: readonly object[], more: object = {}) => ({
    accounts: [{ id: "a1", images: { ...more, images } }],
  });

  test("are stored, delivered and belong to the store after the first start", async () => {
    const store = createMemoryStore();
    const image = `data:image/png;base64,${(await png()).toString("base64")}`;
    const world = worldOf([
      { id: "logo", image, filename: "logo.png", metadata: { a: 1 }, creator: "me" },
      { image, requireSignedURLs: true },
    ]);
    const first = await started(world, { store });
    const { client, at } = imageSetting({ store });
    const { images } = (await client.ok("GET", "/v1")).result;
    expect(images).toHaveLength(2);
    const logo = images.find((candidate: Json) => candidate.id === "logo");
    expect(logo).toMatchObject({
      filename: "logo.png",
      meta: { a: 1 },
      creator: "me",
      requireSignedURLs: false,
    });
    expect((await at(logo.variants[0])).status).toBe(200);
    expect(first.lines).toEqual([]);
    expect((await started(world, { store })).lines).toEqual([]);
    await client.ok("DELETE", "/v1/logo");
    expect((await started(world, { store })).lines).toEqual([
      "world: account `a1`: the store keeps its images (1 of the world missing)",
    ]);
  });

  test("are rejected with their pointers: format, size, id, metadata, count and paths", async () => {
    const image = (await png()).toString("base64");
    expect(
      await problemsOf(
        worldOf([
          { id: "a" },
          { image_path: "a.png" },
          { image, id: "a/../b" },
          { image, metadata: "x".repeat(2_000) },
          { image, id: "c" },
          { image, id: "c" },
        ]),
      ),
    ).toEqual([
      "/accounts/0/images/images/0/image: `image` is missing; it must be a picture in base64.",
      "/accounts/0/images/images/1/image_path: Only the command line reads `image_path`; use `image` with base64 instead.",
      expect.stringMatching(/^\/accounts\/0\/images\/images\/2\/id: /),
      "/accounts/0/images/images/3/metadata: `metadata` must have at most 1024 bytes as JSON; found 2002.",
      "/accounts/0/images/images/5/id: `id` must be unique in the account; `c` is also at `/accounts/0/images/images/4/id`.",
    ]);
    expect(await problemsOf(worldOf([{ image }, { image }], { allowed: 1 }))).toEqual([
      "/accounts/0/images/images: `images` must have at most 1 elements; it has 2.",
    ]);
    expect(await problemsOf(worldOf([{ image }]), { limits: { imageUploadBytes: 20 } })).toEqual([
      "/accounts/0/images/images/0/image: The image must be at most 20 bytes.",
    ]);
  });

  test("that cannot be decoded leave neither records nor blobs", async () => {
    const store = createMemoryStore();
    const image = (await png()).toString("base64");
    expect(await problemsOf(worldOf([{ image }, { image: "aGVsbG8=" }]), { store })).toEqual([
      expect.stringMatching(/^\/accounts\/0\/images\/images\/1\/image: /),
    ]);
    const blobs: string[] = [];
    for await (const key of store.blobs.keys()) blobs.push(key);
    expect(blobs).toEqual([]);
  });
});
