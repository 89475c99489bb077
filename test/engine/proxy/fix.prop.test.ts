/** Laws of fixes: they remove nothing, a second run changes nothing, and a text changes only where it is fixed. */
import { applyPatch, compileFacts, validateCompiled } from "edgeproof/proxy";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonSource } from "../../../src/core/json-source.ts";
import { direct, networkId, staticEdge, virtual, world } from "../../../src/engine/proxy/checks/samples.ts";
import { fixBody, fixText } from "../../../src/engine/proxy/fix.ts";
import { runs } from "../../support/runs.ts";
import { rows } from "./bodies.ts";

const plans = fc.constantFrom(compileFacts(world), compileFacts({}), compileFacts({ plan: "pay-as-you-go" }));

const { origin_direct, ...withoutOrigin } = direct;

/** Mistakes that have a fix, and some that have none; of the same member only one. */
const mistakes = fc.record(
  {
    base: fc.constantFrom(
      direct,
      virtual,
      { ...staticEdge, dns: direct.dns },
      { ...withoutOrigin, orgin_direct: origin_direct },
      { ...withoutOrigin, origin_direct: ["tcp://2001:db8::1:22", "tcp://[2001:db8::2]:22"] },
      { ...virtual, virtual_network_id: networkId.replaceAll("-", "") },
      ...rows.map(({ body }) => body),
    ),
    tls: fc.constantFrom({}, { tls: "FULL" }, { tsl: "off" }, { tlss: "off" }, { tls: "nothing" }),
    traffic: fc.constantFrom({}, { trafic_type: "http" }, { traffic_type: "HTTP" }, { "traffic type": "x" }),
    more: fc.constantFrom({}, { comment: 1e21 }, { origin_port: "22-23" }, { __proto__: 1 }),
  },
  { noNullPrototype: true },
);

const bodies = mistakes.map(({ base, tls, traffic, more }) => {
  const text = JSON.stringify({ ...base, ...tls, ...traffic, ...more }, null, "\t").replaceAll("\n", "\r\n");
  return { text, body: JSON.parse(text) as unknown };
});

/** Every scalar of a value in order, without the case, brackets and hyphens that fixes add. */
function scalarsOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null)
    return [
      String(value)
        .toLowerCase()
        .replace(/[[\]-]/g, ""),
    ];
  return Object.values(value).flatMap(scalarsOf);
}

/** Members and elements of a value and of all values in it. */
function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((count: number, member) => count + 1 + countMembers(member), 0);
}

describe("fixes of any body", () => {
  test("keep the number of members and every value, except for dns.type", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, plans, async ({ body }, facts) => {
        const fixed = await fixBody(body, async (value) => validateCompiled(value, facts));
        expect(countMembers(fixed.body)).toBe(countMembers(body));
        const typeless = (value: unknown) =>
          scalarsOf(value).filter((text) => text !== "cname" && text !== "address");
        expect(typeless(fixed.body)).toEqual(typeless(body));
      }),
      { numRuns: runs(400) },
    );
  });

  test("change nothing when they run a second time, and never add a violation", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, plans, async ({ body }, facts) => {
        const validate = async (value: unknown) => validateCompiled(value, facts);
        const fixed = await fixBody(body, validate);
        const again = await fixBody(fixed.body, validate);
        expect([again.rounds, again.body]).toEqual([[], fixed.body]);
        expect(fixed.rounds.reduce(applyPatch, body)).toEqual(fixed.body);
        expect(fixed.validation).toEqual(await validate(fixed.body));
      }),
      { numRuns: runs(200) },
    );
  });

  test("change the text only in the fixed names and values, and the text then has the fixed value", async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(bodies, plans, async ({ text, body }, facts) => {
        const fixed = await fixBody(body, async (value) => validateCompiled(value, facts));
        const written = fixText(text, fixed);
        if (written === undefined) throw new Error("no member is repeated");
        expect(JSON.parse(written)).toEqual(fixed.body);
        if (fixed.rounds.length === 0) expect(written).toBe(text);
        else changed++;
        expect(lineShapes(written)).toEqual(lineShapes(text));
        const operations = fixed.rounds.flat().length;
        const differing = written.split("\r\n").filter((line, i) => line !== text.split("\r\n")[i]);
        expect(differing.length).toBeLessThanOrEqual(operations);
      }),
      { numRuns: runs(400, 100) },
    );
    expect(changed).toBeGreaterThan(runs(400, 100) / 8);
  });
});

/** Indentation and ends of the lines of a text. */
function lineShapes(text: string): readonly (string | undefined)[] {
  return text.split("\r\n").map((line) => /^\t*/.exec(line)?.[0] + (/[,{[]*$/.exec(line)?.[0] ?? ""));
}

test("a text that repeats a renamed member is not fixed", async () => {
  const text =
    '{"protocol":"ssh","dns":{"name":"a.example.com"},"orgin_direct":5,"orgin_direct":["tcp://192.0.2.1:22"]}';
  const source = parseJsonSource(text);
  if (!source.ok) throw new Error("the text is JSON");
  const fixed = await fixBody(source.value.value, async (value) => validateCompiled(value, compileFacts({})));
  expect(fixed.rounds).toHaveLength(1);
  expect(fixText(text, fixed)).toBeUndefined();
});

test("a fix that an earlier fix makes possible is applied in the next round", async () => {
  const body = { ...withoutOrigin, edge_ips: { type: "STATIC", ips: ["198.51.100.10"] }, origin_direct };
  const fixed = await fixBody(body, async (value) => validateCompiled(value, compileFacts(world)));
  expect(fixed.rounds.map((round) => round.map(({ path }) => path))).toEqual([
    ["/edge_ips/type"],
    ["/dns/type"],
  ]);
  expect(fixed.validation.violations).toEqual([]);
});
