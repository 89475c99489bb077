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
  ["eval", (world) => ["eval", "--world", world, "--request", at("requests.json")]],
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

test.each(["serve", "workbench"])("%s does not start with a partial world", async (command) => {
  const { code, err } = await edgeproof([command, "--world", at("world.json")]);
  expect(code).not.toBe(0);
  expect(err).toContain("A rule is left out");
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
