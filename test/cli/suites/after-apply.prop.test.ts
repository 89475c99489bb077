/** Suites that are generated from a plan, on the states after it. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decisionOf } from "../../../src/engine/tokens/verdict/decision.ts";
import { edgeproof } from "../../support/cli.ts";
import { runs } from "../../support/runs.ts";
import { type PlannedZone, plannedZones, planOf, stateOf } from "./planned-zone.ts";

const { jwk } = await mintKey("ES256", "key-1");
const numRuns = runs(10, 8);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-after-apply-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

/** Generates the suite of a plan; undefined for a plan without requests. */
async function suiteOf(zone: PlannedZone): Promise<string> {
  const out = join(folder, "suite.json");
  const plan = await file("plan.json", planOf(zone, jwk));
  const result = await edgeproof(["suite", "generate", "--world", plan, "--format", "json", "--out", out]);
  expect([result.code, result.err]).toEqual([0, expect.stringContaining("zone ")]);
  return out;
}

async function evaluate(zone: PlannedZone, suite: string, seed = 3) {
  const state = await file("state.json", stateOf(zone, jwk, seed));
  return edgeproof(["eval", "--world", state, "--requests", suite, "--json"]);
}

test("the suite of a plan is green on the state after it, whatever ids the service gives", async () => {
  await fc.assert(
    fc.asyncProperty(plannedZones, fc.nat(1_000), async (zone, seed) => {
      const suite = await suiteOf(zone);
      expect((await readFile(suite, "utf8")).includes('"expect"')).toBe(true);
      const { code, err } = await evaluate(zone, suite, seed);
      expect([code, err]).toEqual([0, expect.not.stringContaining("expected")]);
    }),
    { numRuns },
  );
});

type Change = (zone: PlannedZone) => PlannedZone;

/** Changes of rules; `isOrder` when another rule can then have the position of one, and so its name if it has no other. */
const changes: Readonly<Record<string, { readonly change: Change; readonly isOrder?: boolean }>> = {
  action: {
    change: ({ tokenRules: [token, ...tokens], customRules: [custom, ...customs], ...rest }) => ({
      ...rest,
      tokenRules: token ? [{ ...token, action: token.action === "log" ? "block" : "log" }, ...tokens] : [],
      customRules: custom
        ? [{ ...custom, action: custom.action === "block" ? "managed_challenge" : "block" }, ...customs]
        : [],
    }),
  },
  expression: {
    change: ({ tokenRules: [token, ...tokens], customRules: [custom, ...customs], ...rest }) => ({
      ...rest,
      tokenRules: token ? [{ ...token, expression: 'http.request.method eq "PUT"' }, ...tokens] : [],
      customRules: custom ? [{ ...custom, expression: 'http.request.uri.path eq "/c"' }, ...customs] : [],
    }),
  },
  enabled: {
    change: ({ tokenRules, customRules, ...rest }) => ({
      ...rest,
      tokenRules: tokenRules.map((rule) => ({ ...rule, enabled: !rule.enabled })),
      customRules: customRules.map((rule) => ({ ...rule, enabled: !rule.enabled })),
    }),
  },
  order: { change: (zone) => ({ ...zone, customRules: zone.customRules.toReversed() }), isOrder: true },
  removal: { change: (zone) => ({ ...zone, customRules: zone.customRules.slice(1) }), isOrder: true },
};

type CustomAction = PlannedZone["customRules"][number]["action"];

/** A zone in which the order of custom rules matters, to the action or only to the rule that decides. */
function orderedZone(action: CustomAction): PlannedZone {
  const rule = { description: undefined, expression: 'http.request.uri.path eq "/a"', enabled: true };
  const last = { ...rule, ref: "two", action: "managed_challenge" } as const;
  return { tokenRules: [], executed: [], customRules: [{ ...rule, ref: "one", action }, last] };
}

const orderedZones = fc.oneof(
  plannedZones,
  fc.constantFrom<CustomAction>("block", "log", "managed_challenge").map(orderedZone),
);

interface Answer {
  readonly verdict: Parameters<typeof decisionOf>[0];
}

test.each(Object.entries(changes))(
  "it is red when a change of the %s changes a verdict",
  async (_name, edit) => {
    let red = 0;
    const zones = edit.isOrder ? orderedZones : plannedZones;
    await fc.assert(
      fc.asyncProperty(zones, async (zone) => {
        const suite = await suiteOf(zone);
        const before: Answer[] = JSON.parse((await evaluate(zone, suite)).out);
        const { code, out } = await evaluate(edit.change(zone), suite);
        const after: Answer[] = JSON.parse(out);
        const seen = ({ verdict }: Answer) => {
          const { action, rule } = decisionOf(verdict);
          const isNamed = zone.customRules.every(({ ref }) => ref !== undefined);
          return JSON.stringify([action, verdict.outcome, edit.isOrder && !isNamed ? undefined : rule]);
        };
        if (before.map(seen).join() === after.map(seen).join()) return;
        red += 1;
        expect(code).toBe(1);
      }),
      // Every change of the example changes a verdict.
      { numRuns, examples: [[orderedZone("block")]] },
    );
    expect(red).toBeGreaterThan(0);
  },
);
