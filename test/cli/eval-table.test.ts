/** The table of `edgeproof eval`: marks of failed expectations, and its width. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";

const folder = await temporaryFolder();
const world = join(folder, "world.json");
await writeFile(world, JSON.stringify({ zones: [{ id: "z", name: "example.com" }] }));

async function evaluate(requests: readonly object[], columns?: number) {
  const path = join(folder, "requests.json");
  await writeFile(path, JSON.stringify(requests));
  const options = columns === undefined ? {} : { columns, isTerminal: true };
  return edgeproof(["eval", "--world", world, "--requests", path], "", options);
}

test("a first column marks the requests whose verdict is not the expected one", async () => {
  const url = "https://example.com/";
  const { code, out, err } = await evaluate([
    { url, name: "as it should be", expect: { action: "allow", outcome: "no_rule" } },
    { url, name: "wrong", expect: "block" },
    { url, name: "not evaluated", expect: "allow" },
    { url, name: "any" },
  ]);
  expect(code).toBe(1);
  const lines = out.split("\n");
  expect(lines[0]).toMatch(/^result +verdict +expected +request +rule +reason$/);
  expect(lines[2]).toMatch(/^ok +allow +allow \(no_rule\) +as it should be /);
  expect(lines[3]).toMatch(/^FAIL +allow +block +wrong /);
  expect(lines[4]).toMatch(/^FAIL +allow +allow +not evaluated /);
  expect(err).toContain(
    "expected allow, got allow; no rule was evaluated: the zone has no rules. If that is meant, expect the outcome `no_rule`",
  );
  expect(lines[5]).toMatch(/^- +allow +- +any /);
});

test("without expectations there is no such column", async () => {
  const { code, out } = await evaluate([{ url: "https://example.com/" }]);
  expect([code, out]).toEqual([0, expect.stringMatching(/^verdict +request +rule +reason\n/)]);
});

test("the table fits into the terminal", async () => {
  const url = `https://example.com/${"long/".repeat(30)}`;
  const { out } = await evaluate([{ url }], 80);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBe(80);
  expect((await evaluate([{ url }])).out.split("\n")[0]?.length).toBeGreaterThan(80);
});

test("a terminal shows what differs: no common host, and an expectation only where it is not met", async () => {
  const expected = (action: string) => ({ action, rule: "51231d16-01f1-48e3-93f8-91c99e81288e", logged: [] });
  const { out } = await evaluate(
    [
      { url: "https://example.com/a", method: "POST", expect: { action: "allow", outcome: "no_rule" } },
      { url: "https://example.com/b", method: "POST", expect: expected("block") },
      { url: "https://example.com/c", method: "POST", expect: expected("allow") },
    ],
    80,
  );
  const lines = out.split("\n");
  expect(lines[2]).toMatch(/^ok +allow +POST \/a +/);
  expect(lines[3]).toMatch(/^FAIL +allow +block +POST \/b +/);
  expect(lines[4]).toMatch(/^FAIL +allow +allow by 51231d16 +POST \/c +/);
});

test("a terminal has no column of reasons, none of expectations that are all met, and names without the decision", async () => {
  const name = "unsupported header token, GET https://example.com/: allow by a rule";
  const expected = { action: "allow", outcome: "no_rule" };
  const { out } = await evaluate([{ url: "https://example.com/", name, expect: expected }], 66);
  const [header, , row] = out.split("\n");
  expect(header).toMatch(/^result +verdict +request +rule$/);
  expect(row).toMatch(/^ok +allow +unsupported header token, GET example\.com\/ +-$/);
});

test("a rule without a title is named by its hosts or its position, and never by an empty cell", async () => {
  const rule = { action: "block", enabled: true, expression: 'http.request.method eq "PUT"' };
  const rules = [
    {
      ...rule,
      id: "6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a11",
      title: "",
      selector: { include: [{ host: ["a.example.com"] }] },
    },
    {
      ...rule,
      id: "6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a12",
      title: "",
      selector: { include: [{ host: ["b.example.com", "c.example.com"] }] },
    },
  ];
  const titled = join(folder, "titled.json");
  const zone = { id: "z", name: "example.com", token_validation: { configs: [], rules } };
  await writeFile(titled, JSON.stringify({ zones: [zone] }));
  const { out } = await edgeproof(["eval", "--world", titled, "https://b.example.com/", "-X", "GET"]);
  expect(out.split("\n")[2]).toMatch(
    /^block +GET b\.example\.com\/ +rule of b\.example\.com, c\.example\.com /,
  );
});

test("requests to several hosts have no scheme, and keep their ends in a narrow terminal", async () => {
  const long = "catalog/".repeat(12);
  const { out } = await evaluate(
    [{ url: `https://a.example.com/${long}first` }, { url: `https://b.example.com/${long}second` }],
    80,
  );
  const [, , first, second] = out.split("\n");
  expect(first).toMatch(/^allow +GET a\.example\.com\/\S*\.\.\.\S*first +- /);
  expect(second).toMatch(/^allow +GET b\.example\.com\/\S*\.\.\.\S*second +- /);
});
