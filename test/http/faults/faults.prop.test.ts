/** Laws of faults: none changes what has no fault, and counts are exact. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEdge, type Edge, type EdgeOptions } from "../../../src/edge.ts";
import { seededIds } from "../../../src/service/ids.ts";
import { runs } from "../../support/runs.ts";
import { createRule, requestOf, rulesPath, statusesOf } from "./edges.ts";

const paths = [
  rulesPath,
  "/zones/z1/app_service/apps",
  "/accounts/a1/images/v1",
  "/accounts/a1/intel/v2/brand-protection/domain/queries",
  "/zones/z1/nothing",
  "/accounts/a1/images/v1?page=0",
];
const methods = ["GET", "HEAD", "POST", "DELETE"] as const;
const requests = fc.array(
  fc.record({
    path: fc.constantFrom(...paths),
    method: fc.constantFrom(...methods),
    prefer: fc.constantFrom("", "code=429", "delay=60", "cut=0", "code=abc", "return=minimal", '"'),
  }),
  { maxLength: 8 },
);

/** Everything that a client sees. */
async function transcript(edge: Edge, sent: readonly { path: string; method: string; prefer: string }[]) {
  const seen = [];
  for (const { path, method, prefer } of sent) {
    const response = await edge.fetch(requestOf(path, { method, headers: { prefer } }));
    seen.push([response.status, [...response.headers], await response.text()]);
    await createRule(edge);
  }
  return seen;
}

const fixed = (): EdgeOptions => ({ clock: () => 0, ids: seededIds("faults") });

const silent: readonly (readonly [string, EdgeOptions])[] = [
  ["an empty list of rules", { faults: [] }],
  ["a rule for another endpoint", { faults: [{ match: { endpoint: "images.keys" }, status: 500 }] }],
  ["a rule for another zone", { faults: [{ match: { path: "/zones/z2/token_validation/rules" }, cut: 0 }] }],
  ["a rule whose turn never comes", { faults: [{ every: 1_000_000, status: 503 }] }],
];

test.each(silent)("answers are equal byte for byte without faults and with %s", async (_, options) => {
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      const plain = await transcript(createEdge(fixed()), sent);
      expect(await transcript(createEdge({ ...fixed(), ...options }), sent)).toEqual(plain);
    }),
    { numRuns: runs(100) },
  );
});

const counts = fc.record({
  every: fc.integer({ min: 1, max: 5 }),
  times: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  total: fc.integer({ min: 0, max: 24 }),
});

test("a fault happens with the n-th request, the 2n-th and so on, at most as often as the rule says", async () => {
  await fc.assert(
    fc.asyncProperty(counts, async ({ every, times, total }) => {
      const edge = createEdge({ faults: [{ every, status: 503, ...(times && { times }) }] });
      const model = Array.from({ length: total }, (_, i) => {
        const turn = (i + 1) / every;
        return Number.isInteger(turn) && turn <= (times ?? Number.POSITIVE_INFINITY) ? 503 : 200;
      });
      expect(await statusesOf(edge, total)).toEqual(model);
      expect(edge.faults.rules()[0]).toMatchObject({
        counted: total,
        happened: model.filter((status) => status === 503).length,
      });
    }),
    { numRuns: runs(200) },
  );
});

test("of parallel requests as many are faulty as of the same requests one after another", async () => {
  await fc.assert(
    fc.asyncProperty(counts, async ({ every, total }) => {
      const edge = createEdge({ faults: [{ every, status: 429 }] });
      const answers = await Promise.all(
        Array.from({ length: total }, () => edge.fetch(requestOf(rulesPath))),
      );
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(Math.floor(total / every));
    }),
    { numRuns: runs(100) },
  );
});

test("no header Prefer makes a handler throw, whatever its bytes are", async () => {
  const edge = createEdge({ requestFaults: true });
  const words = fc.constantFrom(
    ...["code", "delay", "cut", "after", "retry-after", "=", ",", ";", '"', "\\", " ", "429", "0.01", "x"],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 12 }), async (parts) => {
      const headers = { prefer: parts.join("") };
      const answer = await edge
        .fetch(requestOf(rulesPath, { headers }))
        .catch((error: Error) => expect(error.name).toBe("LostAnswer"));
      if (answer) expect([200, 400, 429]).toContain(answer.status);
    }),
    { numRuns: runs(400) },
  );
});
