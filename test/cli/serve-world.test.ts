/** `edgeproof serve` on a store that had another world, and its options file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../store/open.ts";
import { type CliResult, edgeproof } from "../support/cli.ts";
import type { Json } from "../support/client.ts";

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
let files = 0;

async function file(value: unknown): Promise<string> {
  const path = join(folder, `${files++}.json`);
  await writeFile(path, JSON.stringify(value));
  return path;
}

/** Runs `serve` while `work` runs. */
async function serving(
  words: readonly string[],
  work: (url: string) => Promise<void> = async () => {},
): Promise<CliResult> {
  const stop = new AbortController();
  let listening: (url: string) => void = () => {};
  const url = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const running = edgeproof(["serve", "--port", "0", ...words], "", {
    signal: stop.signal,
    onOut: (text) => listening(/http:\S+/.exec(text)?.[0] ?? ""),
  });
  const ended = running.then(({ err }) => Promise.reject(new Error(err)));
  try {
    await Promise.race([url.then(work), ended]);
  } finally {
    stop.abort();
    ended.catch(() => {});
  }
  return running;
}

async function status(url: string, path: string, token = "t", body?: unknown): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { headers, ...init });
  const { errors = [] } = (await response.json()) as Json;
  return [response.status, ...errors.map((error: Json) => error.code)].join(" ");
}

const rules = (zone: string) => `/zones/${zone}/token_validation/rules`;
const token = (name: string) => ({ token: name, name, permissions: ["token_validation:write"] });
const unknownToken = "403 10000";

describe("serve --data --world", () => {
  test("follows a changed world file, and reports each difference on one line of standard error", async () => {
    const data = ["--data", join(folder, "changed.db")];
    const zones = [{ id: "z1" }, { id: "z2" }];
    const first = await file({ zones, api_tokens: [token("old"), token("kept")] });
    expect((await serving([...data, "--world", first])).err).toBe("");
    const second = await file({ zones: zones.slice(1), api_tokens: [token("kept")] });
    const { code, err } = await serving([...data, "--world", second], async (url) => {
      expect(await status(url, rules("z2"), "old")).toBe(unknownToken);
      expect(await status(url, rules("z2"), "kept")).toBe("200");
      expect(await status(url, rules("z1"), "kept")).toBe("404 10404");
    });
    expect([code, err]).toEqual([0, "world: removed API token `old`\nworld: removed zone `z1`\n"]);
    const { err: none } = await serving(data, async (url) => {
      expect(await status(url, rules("z2"), "old")).toBe(unknownToken);
    });
    expect(none).toBe("");
  });

  test("of two processes, both follow the world of the last start", async () => {
    const data = ["--data", join(folder, "two.db")];
    const first = await file({ api_tokens: [token("a")], zones: [{ id: "z1" }] });
    const second = await file({ api_tokens: [token("b")], zones: [{ id: "z2" }] });
    await serving([...data, "--world", first], async (server) => {
      expect(await status(server, rules("z1"), "a")).toBe("200");
      await serving([...data, "--world", second], async (otherServer) => {
        for (const url of [server, otherServer]) {
          expect(await status(url, rules("z2"), "a")).toBe(unknownToken);
          expect(await status(url, rules("z2"), "b")).toBe("200");
          expect(await status(url, rules("z1"), "b")).toBe("404 10404");
        }
      });
    });
  });

  test("--any-token accepts every token again, only when the store has none left", async () => {
    const data = ["--data", join(folder, "any.db")];
    await serving([...data, "--world", await file({ api_tokens: [token("a")] })]);
    const rejected = await edgeproof(["serve", ...data, "--any-token"]);
    expect([rejected.code, rejected.err]).toEqual([
      2,
      expect.stringContaining("`anyToken` needs a store without API tokens; it has 1."),
    ]);
    await serving([...data, "--world", await file({ api_tokens: [] })], async (url) => {
      expect(await status(url, rules("z1"))).toBe(unknownToken);
    });
    await serving([...data, "--any-token"], async (url) => {
      expect(await status(url, rules("z1"))).toBe("200");
    });
  });

  test.skipIf(postgresUrl === undefined)(
    "a rejected start leaves no connection to PostgreSQL open",
    async () => {
      const world = await file({ zones: [{ id: "a b" }] });
      const name = nextSchema();
      const data = `${postgresUrl}?schema=${name}&application_name=${name}`;
      expect((await edgeproof(["serve", "--data", data, "--world", world])).code).toBe(2);
      const client = new pg.Client({ connectionString: postgresUrl });
      await client.connect();
      const query = "select count(*)::int as count from pg_stat_activity where application_name = $1";
      await expect.poll(async () => (await client.query(query, [name])).rows[0].count).toBe(0);
      await client.end();
    },
  );

  test("--prune deletes the resources of removed zones", async () => {
    const data = ["--data", join(folder, "prune.db")];
    await serving([...data, "--world", await file({ zones: [{ id: "z1" }] })], async (url) => {
      const body = {
        title: "t",
        description: "",
        action: "block",
        expression: 'http.host eq "a"',
        enabled: true,
        selector: { include: [{ host: ["a.example"] }] },
      };
      expect(await status(url, rules("z1"), "t", body)).toBe("200");
    });
    const { err } = await serving([...data, "--world", await file({ zones: [] }), "--prune"]);
    expect(err).toBe(
      "world: removed zone `z1`\nworld: deleted the resources of zone `z1`, which does not exist any more (records: 1)\n",
    );
  });
});

describe("serve --options", () => {
  test("sets every option of createEdge that is data; options of the command line have precedence", async () => {
    const options = await file({
      $schema: "options.schema.json",
      profile: "provider",
      basePath: "/api",
      limits: { rulesPerZone: 0, bulkRules: 5 },
      credentials: [token("c")],
      uploadExpirySeconds: { min: 5 },
      brand: { mode: "label" },
    });
    await serving(["--options", options], async (url) => {
      expect(url).toMatch(/\/api$/);
      expect(await status(url, rules("z1"))).toBe(unknownToken);
      expect(await status(url, rules("z1"), "c")).toBe("200");
      expect(await status(url, "/accounts/a1/intel/domain/queries", "c")).toMatch(/^40[34]/);
    });
    const words = ["--options", options, "--profile", "spec", "--limit", "rulesPerZone=1"];
    await serving(words, async (url) => {
      expect(await status(url, rules("z1"), "c")).toBe("200");
    });
  });

  test.each([
    [[], ["my-paypal.com"]],
    [["--brand-own", "my-paypal.com"], ["paypal.com"]],
  ])("has own domains, which those of %j replace", async (words, expected) => {
    const options = await file({ brand: { own: ["paypal.com"] } });
    await serving(["--options", options, "--ingest", ...words], async (url) => {
      const base = `${url}/accounts/a1/intel/v2/brand-protection/domain`;
      const headers = { authorization: "Bearer t", "content-type": "application/json" };
      const string_matches = [{ pattern: "paypal", max_edit_distance: 0 }];
      const body = JSON.stringify({ tag: "t", string_matches });
      expect((await fetch(`${base}/queries`, { method: "POST", headers, body })).status).toBe(200);
      const lines = { authorization: "Bearer t", "content-type": "text/plain" };
      const names = `${url}/accounts/a1/edgeproof/observations/names`;
      await fetch(names, { method: "POST", headers: lines, body: "paypal.com\nmy-paypal.com" });
      const list = await fetch(`${base}/matches?query_id=1`, { headers });
      const { matches } = (await list.json()) as Json;
      expect(matches.map(({ domain }: Json) => domain)).toEqual(expected);
    });
    const { code, err } = await edgeproof(["serve", "--brand-own", "co.uk"]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("--brand-own: An own domain must not be a public"),
    ]);
  });

  test("rejects unknown members with the nearest name, wrong values, and options that are not data", async () => {
    const path = await file({
      enveloppes: "everywhere",
      limits: { rulesPerZones: 3, bodyBytes: -1, tokenBytes: 0 },
      profile: "real",
      clock: 5,
      world: {},
      publicBaseUrl: "example.com",
      credentials: [{ token: "t", permissions: ["all"] }],
    });
    const { code, err } = await edgeproof(["serve", "--options", path]);
    expect(code).toBe(2);
    const lines = err.trim().split("\n");
    expect(lines.map((line) => line.replace(path, "PATH")).sort()).toMatchInlineSnapshot(`
      [
        "  /clock: \`clock\` is a function; it cannot be in an options file.",
        "  /credentials/0/permissions/0: \`credentials.0.permissions.0\` must be \`token_validation:read\`, \`token_validation:write\`, \`rulesets:read\`, \`rulesets:write\`, \`brand_protection:read\`, \`brand_protection:write\`, \`images:read\`, \`images:write\`, \`proxy:read\`, \`proxy:write\` or \`ip_prefixes\`; found the string \`all\`.",
        "  /enveloppes: \`enveloppes\` is not an option; did you mean \`envelopes\`?",
        "  /limits/bodyBytes: \`limits.bodyBytes\` must be at least 0; found \`-1\`.",
        "  /limits/rulesPerZones: \`rulesPerZones\` is not an option; did you mean \`rulesPerZone\`?",
        "  /limits/tokenBytes: \`limits.tokenBytes\` must be at least 1; found \`0\`.",
        "  /profile: \`profile\` must be \`spec\` or \`provider\`; found the string \`real\`.",
        "  /publicBaseUrl: \`publicBaseUrl\` must be an origin such as \`https://images.example.com\`, without query and fragment; found the string \`example.com\`.",
        "  /world: \`world\` has a file of its own; use --world; it cannot be in an options file.",
        "edgeproof: PATH is not a valid options file:",
      ]
    `);
  });

  test("rejects a malformed --limit", async () => {
    const errorOf = async (limit: string) => (await edgeproof(["serve", "--limit", limit])).err;
    expect(await errorOf("rulesPerZone")).toContain(
      "--limit must be name=value, such as rulesPerZone=50; found `rulesPerZone`",
    );
    expect(await errorOf("rulePerZone=5")).toContain(
      "--limit: `rulePerZone` is not a limit; did you mean `rulesPerZone`?",
    );
    expect(await errorOf("x=5")).toContain("the limits are bodyBytes,");
    expect(await errorOf("tokenBytes=0")).toContain(
      "--limit tokenBytes must be an integer from 1; found `0`",
    );
    expect(await errorOf("rulesPerZone=-1")).toContain("must be an integer from 0; found `-1`");
    for (const pixels of ["0", "100000001"])
      expect(await errorOf(`logoPixels=${pixels}`)).toContain(
        `--limit logoPixels must be an integer from 1 to 100000000; found \`${pixels}\``,
      );
  });
});
