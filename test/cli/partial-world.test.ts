/** A world file that was made from incomplete input is as undecided as the input itself. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { config, entry, operation, planFile, rule, zone } from "../import/terraform/documents.ts";
import { edgeproof } from "../support/cli.ts";

let folder: string;
const at = (name: string) => join(folder, name);

const { expression, ...withoutExpression } = rule;
const app = { protocol: "tcp/22", dns: { type: "CNAME", name: "ssh.example.com" }, zone_id: rule.zone_id };
const incomplete = planFile([
  entry("zone", "main", zone),
  entry("config", "web", config),
  entry("operation", "o", operation),
  entry("rule", "known", { ...rule, id: "c2a5e0d4-9f0e-4e9e-8a0a-6b1f1f3d2b22", title: "Known" }),
  entry("rule", "enforce", withoutExpression, { after_unknown: { expression: true } }),
  entry("app", "ssh", { ...app, origin_direct: [null] }, { after_unknown: { origin_direct: [true] } }),
]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  await writeFile(at("plan.json"), incomplete.text);
  const requests = [{ url: "https://api.example.com/v1/orders" }, { url: "https://www.example.com/" }];
  await writeFile(at("requests.json"), JSON.stringify(requests));
  await writeFile(at("traffic.sh"), "curl https://api.example.com/v1/orders\n");
  const { code } = await edgeproof([
    "world",
    "--from",
    at("plan.json"),
    "--partial",
    "--out",
    at("world.json"),
  ]);
  expect(code).toBe(0);
});

const commands: readonly (readonly [name: string, words: (world: string) => readonly string[]])[] = [
  ["check", (world) => ["check", world]],
  ["lint", (world) => ["lint", world]],
  ["eval", (world) => ["eval", "--world", world, "--requests", at("requests.json")]],
  ["diff", (world) => ["diff", world, world]],
  ["replay", (world) => ["replay", "--world", world, "--against", world, at("traffic.sh")]],
  ["mutate", (world) => ["mutate", "--world", world, "--requests", at("requests.json")]],
];

describe.each(commands)("%s", (_name, words) => {
  const run = async (file: string, ...more: readonly string[]) => {
    const { code, out, err } = await edgeproof([...words(at(file)), ...more]);
    return {
      code,
      out: withoutPlaces(out),
      undecided: err.match(/A rule is left out.*|An application is.*/g),
    };
  };

  test("gives the same answer about the plan and the partial world", async () => {
    const answer = await run("world.json", "--json");
    expect(answer).toEqual(await run("plan.json", "--json"));
    expect(answer.code).not.toBe(0);
  });

  test("gives the same answer with --partial", async () => {
    expect(await run("world.json", "--json", "--partial")).toEqual(
      await run("plan.json", "--json", "--partial"),
    );
  });
});

test.each(["serve", "workbench", "suite generate --format json"])(
  "%s ends with exit code 1 for a partial world, and names what is undecided",
  async (command) => {
    const { code, out, err } = await edgeproof([...command.split(" "), "--world", at("world.json")]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("A rule is left out");
    expect(err).toContain("--partial continues without it");
  },
);

test.each(["serve", "workbench"])("%s writes nothing of a partial world to a store", async (command) => {
  const store = at(`${command}.db`);
  const words = [command, "--world", at("world.json"), "--data", store];
  expect((await edgeproof(words)).code).toBe(1);
  const { code, out } = await edgeproof(["store", "export", "--data", store]);
  expect([code, out]).toEqual([0, expect.not.stringContaining("example.com")]);
});

test("suite generate writes the suite of the known rules with --partial, and names the others", async () => {
  const words = ["suite", "generate", "--format", "json", "--partial", "--world", at("world.json")];
  const { code, out, err } = await edgeproof(words);
  expect([code, JSON.parse(out)]).toEqual([0, expect.arrayContaining([expect.anything()])]);
  expect(err).toContain("A rule is left out");
});

test("--zone-name names a zone of a partial world, and nothing about the zone is undecided", async () => {
  const token_validation = { configs: [], rules: [] };
  const zones = [
    { id: "y", name: "other.example", token_validation },
    { id: "z", token_validation },
  ];
  const part = {
    about: "zone",
    zone: "z",
    message: "No file names the zone.",
    run: "--zone-name z=<domain>",
  };
  await writeFile(at("nameless.json"), JSON.stringify({ zones, undecided: [part] }));
  await writeFile(at("named.json"), JSON.stringify([{ url: "https://api.example.com/" }]));
  const line = ["eval", "--world", at("nameless.json"), "--requests", at("named.json")];
  expect(await edgeproof(line)).toMatchObject({ code: 1, out: expect.stringContaining("undecided") });
  const { code, out, err } = await edgeproof([...line, "--zone-name", "z=example.com"]);
  expect([code, out, err]).toEqual([0, expect.stringContaining("allow"), ""]);
});

test("check prints once that the input of a world was incomplete", async () => {
  const openapi = { openapi: "3.0.0", servers: [{ url: "https://api.example.com" }], paths: {} };
  await writeFile(at("openapi.json"), JSON.stringify(openapi));
  await writeFile(at("app.json"), JSON.stringify({ protocol: "tcp/22" }));
  const words = ["check", at("app.json"), "--world", at("world.json"), "--openapi", at("openapi.json")];
  const { err } = await edgeproof(words);
  expect(err.match(/input was incomplete/g)).toHaveLength(1);
});

test.each<[string, object]>([
  ["an unknown kind", { about: "weather", message: "m", run: "r" }],
  ["no message", { about: "rule", run: "r" }],
])(
  "a list of undecided parts with %s is no valid world, so that no part is overlooked",
  async (_name, part) => {
    await writeFile(at("bad.json"), JSON.stringify({ zones: [{ id: "z1" }], undecided: [part] }));
    const { code, err } = await edgeproof(["check", at("bad.json")]);
    expect([code, err]).toEqual([2, expect.stringMatching(/bad\.json:1:\d+: \/undecided\/0/)]);
  },
);

const places: readonly string[] = ["location", "file", "pointer", "start", "end", "line"];

/** The JSON output without places, which are those of two files. */
function withoutPlaces(out: string): unknown {
  return out === ""
    ? ""
    : JSON.parse(out, (name, value) => {
        if (places.includes(name)) return undefined;
        return typeof value === "string"
          ? value.replace(at("plan.json"), "FILE").replace(at("world.json"), "FILE")
          : value;
      });
}
