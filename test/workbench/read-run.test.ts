/** The verdicts of a recorded run: written by the edge, read for the page, without any secret that was sent. */
import { describe, expect, test } from "vitest";
import { demoWorld, mintDemoKeys } from "../../src/cli/demo/api-world.ts";
import { demoRequests } from "../../src/cli/demo/tokens.ts";
import { createEdge } from "../../src/edge.ts";
import { readRun } from "../../src/workbench/log/read-run.ts";
import { edgeproof } from "../support/cli.ts";

async function record() {
  const keys = await mintDemoKeys();
  const lines: string[] = [];
  const edge = createEdge({
    world: demoWorld(keys),
    onVerdict: (record) => lines.push(JSON.stringify(record)),
  });
  const requests = await demoRequests(keys);
  for (const request of requests) await edge.tokens.evaluate("shop", request);
  return { edge, requests, text: `${lines.join("\n")}\n` };
}

test("each verdict is an entry with its rules, the values of all parts, and decoded tokens; no raw token is left", async () => {
  const { edge, requests, text } = await record();
  const read = await readRun(text, edge);
  if (!read.ok) throw new Error(read.problems[0]);
  expect(read.value).toHaveLength(requests.length);
  const [first, , , missing] = read.value;
  if (first?.kind !== "verdict" || missing?.kind !== "verdict") throw new Error("not a verdict");
  expect([first.zone, first.path, first.verdict.action]).toEqual(["shop", "/v1/orders/17", "allow"]);
  expect(first.verdict.tokens[0]).toMatchObject({ reason: "valid", claims: { sub: "ada" } });
  expect(missing.verdict.because).toContain("Staff identity provider");
  const decider = missing.verdict.rules.find(({ id }) => id === missing.verdict.decidedBy);
  expect(decider?.leaves.map(({ value, reason }) => [value, reason])).toEqual([
    [false, undefined],
    [false, "missing"],
  ]);
  const shown = JSON.stringify(read.value);
  for (const { headers } of requests)
    for (const token of Object.values(headers).flatMap(
      (value) => value.match(/ey[\w-]+\.[\w-]+\.[\w-]*/g) ?? [],
    ))
      expect(shown).not.toContain(token.split(".")[2] || token);
});

test("a zone that is not in the world has no titles, and the verdict stays readable", async () => {
  const { text } = await record();
  const read = await readRun(
    text,
    createEdge({ world: { zones: [{ id: "other", name: "other.example" }] } }),
  );
  expect(read.ok && read.value[3]).toMatchObject({ kind: "verdict", verdict: { action: "block" } });
});

describe("other files are rejected with the line", () => {
  test.each([
    ["not JSON", "{"],
    ["another object", '{"a":1}'],
    [
      "a verdict without members",
      JSON.stringify({
        time: "2026-01-01T00:00:00Z",
        zone: "z",
        method: "GET",
        url: "https://a.test/",
        tokens: [],
        verdict: { action: "block" },
      }),
    ],
  ])("%s", async (_title, line) => {
    const read = await readRun(`\n${line}\n`, createEdge());
    expect(read.ok ? [] : read.problems).toEqual([expect.stringMatching(/^line 2 /)]);
  });

  test("by the command, with exit code 2", async () => {
    const { code, err } = await edgeproof(["workbench", "--open", "package.json", "--port", "0"]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("package.json: line 1 is not the record of a verdict"),
    ]);
  });
});
