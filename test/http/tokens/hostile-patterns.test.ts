/** Patterns that cost exponential time in a reader that backtracks, by every way in: each is answered, and the server goes on. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { edgeproof } from "../../support/cli.ts";
import { clientOf, jsonOf } from "../../support/client.ts";
import { ruleBody } from "../../support/keys.ts";

const phase = "http_request_firewall_custom";
const selector = { include: [{ host: ["api.example.com"] }] };
const patterns = [
  `[${"\\^".repeat(40)}`,
  `[${"\\^".repeat(10_000)}`,
  `[${"[:".repeat(2_000)}`,
  `(${"(?:a|a)*".repeat(500)}`,
];

describe.each(patterns.map((pattern) => [pattern.length, pattern] as const))(
  "an unclosed pattern of %i characters",
  (_, pattern) => {
    const expression = `http.host matches r"${pattern}"`;
    const isMessage = expect.stringMatching(/is not closed|nests more than|at most 4096 characters/);

    test("is rejected by POST of a token rule and PUT of an entry point", async () => {
      const edge = createEdge({ world: { zones: [{ id: "z1" }] } });
      const client = clientOf(edge, "/zones/z1");
      const rules = [{ action: "block", expression }];
      const answers = [
        await client("POST", "/token_validation/rules", ruleBody(expression)),
        await client("PUT", `/rulesets/phases/${phase}/entrypoint`, { rules }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        expect((await jsonOf(answer)).errors).toMatchObject([{ message: isMessage }]);
      }
    });

    test("is rejected by `check` of a world, in a token rule and in a custom one", async () => {
      const rule = {
        id: "r",
        title: "Rule",
        description: "",
        action: "log",
        enabled: true,
        expression,
        selector,
      };
      const custom = { id: "c", kind: "zone", phase, rules: [{ id: "b", action: "block", expression }] };
      const zone = { id: "z", token_validation: { rules: [rule] }, rulesets: [custom] };
      const { code, out } = await edgeproof(["check", "-"], JSON.stringify({ zones: [zone] }));
      expect(code).toBe(1);
      expect(
        out.match(/is not closed|nests more than|at most 4096 characters/g)?.length,
      ).toBeGreaterThanOrEqual(2);
    });
  },
);
