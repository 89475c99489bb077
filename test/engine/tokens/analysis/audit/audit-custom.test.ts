/** Audits of zones whose custom rules decide: by claims, by challenges, and by values that have no model. */
import { expect, test } from "vitest";
import { auditOperations } from "../../../../../src/engine/tokens/analysis/audit/audit-operations.ts";
import type { CustomRule } from "../../../../../src/engine/tokens/rulesets/model.ts";
import { configs } from "../grid.ts";

const bearer = { name: "bearer", source: 'http.request.headers["x-a"][0]' };
const order = { operation_id: "order", method: "GET", host: "a.example.com", endpoint: "/orders/{id}" };
const secured = { ...order, security: [[bearer]] };
const open = { ...order, operation_id: "open", endpoint: "/open", security: [] };
const role = 'lookup_json_string(http.request.jwt.claims["c"][0], "role")';

function audit(...rules: readonly Omit<CustomRule, "id">[]) {
  const list = rules.map((rule, i) => ({ id: `r${i}`, ...rule }));
  const phase = "http_request_firewall_custom";
  const rulesets = [{ id: "z", kind: "zone", phase, rules: list }] as const;
  return auditOperations({ configs, rules: [], rulesets }, [secured, open]).operations;
}

test("a custom rule that blocks requests without a claim protects an operation, and blocks a public one", () => {
  const [first, other] = audit({ action: "block", expression: `not (${role} eq "admin")` });
  expect([first?.outcome, other?.outcome]).toEqual(["protected", "public-blocked"]);
  expect(other?.contradiction).toMatchObject({ action: "block", rule: "r0" });
});

test("a comparison with `ne` lets a request without a token through, which is shown", () => {
  const [first, other] = audit({ action: "block", expression: `${role} ne "admin"` });
  expect([first?.outcome, other?.outcome]).toEqual(["unprotected", "public"]);
  expect(first?.contradiction?.tokens).toEqual({ a: "missing", b: "missing", c: "missing" });
});

test("a client that passed the challenge gets through, and the request says so", () => {
  const [operation] = audit({ action: "managed_challenge", expression: "true" });
  expect(operation?.outcome).toBe("unprotected");
  expect(operation?.contradiction?.request.challengePassed).toBe(true);
});

test("a skip before the rule that protects is a hole, with the address that shows it", () => {
  const [operation] = audit(
    { action: "skip", action_parameters: { ruleset: "current" }, expression: "ip.src in {10.9.0.0/16}" },
    { action: "block", expression: `not (${role} eq "admin")` },
  );
  expect(operation?.contradiction).toMatchObject({
    action: "allow",
    request: { ip: expect.stringMatching(/^10\.9\./) },
  });
});

test("a block by address is no contradiction of a public operation", () => {
  const [, other] = audit({ action: "block", expression: "ip.src in {10.0.0.0/8}" });
  expect(other?.outcome).toBe("public");
});

test("where a part without a model decides, the outcome is undecided and names it", () => {
  const [operation] = audit({
    action: "block",
    expression: 'not (substring(http.request.uri.path, 1, 2) eq "q")',
  });
  expect(operation).toMatchObject({ outcome: "undecided", reason: expect.stringContaining("`substring(") });
  const [listed] = audit({ action: "block", expression: "not ip.src in $office" });
  expect(listed).toMatchObject({ outcome: "undecided", reason: expect.stringContaining("$office") });
  // The same part beside a rule that blocks all the same.
  const [both] = audit(
    { action: "block", expression: "not ip.src in $office" },
    { action: "block", expression: `not (${role} eq "admin")` },
  );
  expect(both?.outcome).toBe("protected");
});
