import { expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { ruleBody } from "../../support/keys.ts";

test("a zone is compiled again only after a change", async () => {
  const edge = createEdge();
  const { tokens } = edge;
  const before = await tokens.compile("z1");
  expect(await tokens.compile("z1")).toBe(before);
  await tokens.rules.create("z1", ruleBody('http.host eq "a"'));
  const after = await tokens.compile("z1");
  expect(after).not.toBe(before);
  expect(await tokens.compile("z1")).toBe(after);
});

test("the cache drops the zone that was not used for the longest time", async () => {
  const { tokens } = createEdge({ limits: { compiledZones: 2 } });
  const [a, b] = [await tokens.compile("a"), await tokens.compile("b")];
  expect(await tokens.compile("a")).toBe(a);
  await tokens.compile("c");
  expect(await tokens.compile("a")).toBe(a);
  expect(await tokens.compile("b")).not.toBe(b);
});
