/** Requests to hosts of no zone: every command that finds zones by hosts answers the same. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

const zone = (id: string, name?: string, more: object = {}) => ({
  id,
  ...(name !== undefined && { name }),
  token_validation: {
    rules: [
      {
        title: "Reads",
        action: "block",
        expression: 'http.request.method eq "GET"',
        selector: { include: [{ host: [`api.${name ?? "example.com"}`] }] },
      },
    ],
  },
  ...more,
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-not-a-zone-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const worldOf = (...zones: readonly object[]) => file("world.json", { zones });

async function evaluate(
  zones: readonly object[],
  requests: readonly (string | object)[],
  ...words: readonly string[]
) {
  const lines = requests.map((request) => (typeof request === "string" ? { url: request } : request));
  const paths = [await worldOf(...zones), await file("requests.json", lines)] as const;
  return edgeproof(["eval", "--world", paths[0], "--requests", paths[1], ...words]);
}

async function replay(zones: readonly object[], urls: readonly string[], ...words: readonly string[]) {
  const traffic = await file("traffic.txt", urls.map((url) => `curl -X POST ${url}`).join("\n"));
  return edgeproof(["replay", "--world", await worldOf(...zones), "--allow-empty", traffic, ...words]);
}

const only = [zone("z1", "example.com")];

describe("with one zone", () => {
  test.each([
    "https://api.example.org/",
    "https://notexample.com/",
    "https://example.com.evil.test/",
    "https://com/",
    "https://192.0.2.1/",
  ])("%s is not_a_zone and exit code 1 in eval and replay", async (url) => {
    const evaluated = await evaluate(only, [url, "https://api.example.com/"]);
    expect([evaluated.code, evaluated.out]).toEqual([
      1,
      expect.stringContaining("not_a_zone: No zone of the world"),
    ]);
    const replayed = await replay(only, [url, "https://api.example.com/"]);
    expect([replayed.code, replayed.out]).toEqual([
      1,
      expect.stringContaining("1 to hosts of no zone (not_a_zone)"),
    ]);
    const mutated = await edgeproof([
      "suite",
      "mutate",
      "--world",
      join(folder, "world.json"),
      "--requests",
      join(folder, "requests.json"),
      "--min-score",
      "0",
    ]);
    expect([mutated.code, mutated.err]).toEqual([1, expect.stringContaining("not_a_zone")]);
  });

  test.each([
    "https://example.com/",
    "https://api.example.com/",
    "https://A.B.EXAMPLE.com./x",
    "https://api.example.com:8443/",
  ])("%s is of the zone", async (url) => {
    expect((await evaluate(only, [url])).code).toBe(0);
    expect((await replay(only, [url])).code).toBe(0);
  });

  test.each([
    ["without a name", [zone("z1")]],
    ["whose name is its id", [zone("z1", "z1")]],
  ])("a zone %s has every host", async (_what, zones) => {
    expect((await evaluate(zones, ["https://api.example.org/"])).code).toBe(0);
    expect((await replay(zones, ["https://api.example.org/"])).code).toBe(0);
  });

  test("--zone and the member `zone`, an id or a name, decide", async () => {
    const url = "https://api.example.org/";
    expect((await evaluate(only, [url], "--zone", "z1")).code).toBe(0);
    expect(
      (
        await evaluate(only, [
          { url, zone: "z1" },
          { url, zone: "example.com" },
        ])
      ).code,
    ).toBe(0);
    expect((await replay(only, [url], "--zone", "z1")).code).toBe(0);
    const unknown = await replay(only, [url], "--zone", "z9");
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("no zone `z9`")]);
  });

  test("the message says which zones there are and what to do", async () => {
    const { err } = await evaluate(only, ["https://api.exampel.com/"]);
    expect(err).toContain("did you mean `example.com`?");
    expect(err).toContain("The zones are `example.com`, with their subdomains.");
    expect(err).toContain('Set --zone or the member "zone" of the request, or correct the name of the zone.');
  });

  test("the JSON has the outcome, and no verdict", async () => {
    const { out } = await evaluate(only, ["https://api.example.org/"], "--json");
    const [answer] = JSON.parse(out);
    expect(answer).toMatchObject({ outcome: "not_a_zone", undecided: [expect.stringContaining("No zone")] });
    expect(answer.verdict).toBeUndefined();
    const replayed = JSON.parse(
      (await replay(only, ["https://cdn.example.org/", "https://cdn.example.org/a"], "--json")).out,
    );
    expect(replayed.files[0]).toMatchObject({ outside: 2, outsideHosts: { "cdn.example.org": 2 } });
  });

  test("an expected action is not met, also with --partial", async () => {
    const request = { url: "https://api.example.org/", expect: "allow" };
    expect((await evaluate(only, [request, "https://api.example.com/"], "--partial")).code).toBe(1);
  });
});

describe("with several zones", () => {
  const several = [
    zone("z1", "example.com"),
    zone("z2", "shop.example.com"),
    { id: "z3", name: "example.net" },
    zone("z4"),
  ];

  test("the longest name counts, and a zone without rules has its hosts", async () => {
    const urls = ["https://a.shop.example.com/", "https://www.example.com/", "https://www.example.net/"];
    expect((await evaluate(several, urls)).code).toBe(0);
    expect((await replay(several, urls)).code).toBe(0);
  });

  test("a host of none is not_a_zone, and the message names the zone without a domain", async () => {
    const { code, err } = await evaluate(several, ["https://api.example.org/", "https://api.example.com/"]);
    expect([code, err]).toEqual([1, expect.stringContaining("The domain of the zone `z4` is not known.")]);
    expect((await replay(several, ["https://api.example.org/", "https://api.example.com/"])).code).toBe(1);
  });
});

test("check --openapi does not compare operations of other hosts, unless --zone chooses the zone", async () => {
  const document = await file("openapi.json", {
    openapi: "3.0.3",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: {
      "/own": { post: { responses: {} } },
      "/foreign": { post: { servers: [{ url: "https://api.example.org" }], responses: {} } },
    },
  });
  const check = async (...words: readonly string[]) =>
    edgeproof(["check", await worldOf(...only), "--only", "openapi", "--openapi", document, ...words]);
  const { code, out, err } = await check();
  expect([code, out + err]).toEqual([1, expect.stringContaining("not_a_zone: The host `api.example.org`")]);
  expect(out + err).not.toContain("not_a_zone: The host `api.example.com`");
  const chosen = await check("--zone", "z1");
  expect(chosen.out + chosen.err).not.toContain("not_a_zone");
});

test("explain knows not_a_zone", async () => {
  const { code, out } = await edgeproof(["explain", "not_a_zone"]);
  expect([code, out]).toEqual([0, expect.stringContaining("No zone of the world has the host of a request")]);
});
