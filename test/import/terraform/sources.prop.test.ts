/** The world of Terraform's sources is that of the plan with the same values. */
import { readFileSync } from "node:fs";
import { worldFrom } from "edgeproof/world";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../support/runs.ts";
import { config, type Entry, entry, key, operation, rule, zoneId } from "./documents.ts";
import { type Choose, printBoth } from "./print-sources.ts";

/** Strings as people and attackers write them. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.stringMatching(/^[a-z "\\${}%#/<>=.\n*]{0,16}$/),
  fc.constantFrom(`\${x}`, "%{if}", "$${", "<<END\n", "# no\n", "a\nb\n", 'lower("${', "*/", "é\n"),
);

/** A generator of numbers from a list, so that runs can be repeated and made smaller. */
function chooser(numbers: readonly number[]): Choose {
  let at = 0;
  return (bound) => (numbers.length === 0 ? bound - 1 : (numbers[at++ % numbers.length] ?? 0) % bound);
}
const choices = fc.array(fc.nat(1_000), { maxLength: 40 }).map(chooser);

const customRule = fc.record({
  action: fc.constantFrom("block", "log", "Skip", "managed_challenge"),
  expression: fc.oneof(text, fc.constantFrom('http.host eq "a.example"', 'http.request.uri.path eq "/a"\n')),
  description: text,
  enabled: fc.boolean(),
  ref: fc.stringMatching(/^[a-z]{1,8}$/),
});

const parameters = fc.constantFrom({ ruleset: "current" }, { products: ["waf", "bic"] });

const rulesets = fc.array(fc.tuple(customRule, fc.option(parameters)), { maxLength: 5 });

const named = { name: "default", kind: "zone", phase: "http_request_firewall_custom", zone_id: zoneId };

function others(title: string, host: string, ports: readonly number[]): readonly Entry[] {
  const { id: _, ...zonelessConfig } = config;
  const { id: __, ...tokenRule } = rule;
  const { id: ___, ...endpoint } = operation;
  return [
    entry("zone", "main", { name: "example.com", account: { id: "a67e14daa5f8dceeb91fe5449ba496eb" } }),
    entry("config", "web", { ...zonelessConfig, title, credentials: { keys: [{ ...key, kid: title }] } }),
    entry("rule", "enforce", { ...tokenRule, title, selector: { include: [{ host: [host] }] } }),
    entry("operation", "orders", { ...endpoint, host }),
    ...ports.map((port, i) =>
      entry("app", `app${i}`, {
        zone_id: zoneId,
        protocol: `tcp/${port}`,
        dns: { type: "CNAME", name: `${i}.example.com` },
        origin_direct: [`tcp://192.0.2.1:${port}`],
      }),
    ),
  ];
}

function expectSame({ plan, sources }: ReturnType<typeof printBoth>): void {
  const expected = worldFrom([plan]);
  const found = worldFrom(sources);
  expect(found.world).toEqual(expected.world);
  expect(found.report.undecided.map(({ message }) => message)).toEqual(
    expected.report.undecided.map(({ message }) => message),
  );
}

test("literals, local values, variables, templates and heredocs are read as the plan has them", () => {
  fc.assert(
    fc.property(
      rulesets,
      text,
      fc.domain(),
      fc.array(fc.nat(65_535), { maxLength: 3 }),
      choices,
      (given, title, host, ports, choose) => {
        const rules = given.map(([rule, action_parameters]) => ({
          ...rule,
          ...(action_parameters && { action_parameters }),
        }));
        const entries: readonly Entry[] = [
          ["cloudflare_ruleset", "waf", { ...named, rules }],
          ...others(title, host, ports),
        ];
        expectSame(printBoth(entries, choose));
      },
    ),
    { numRuns: runs(1_000) },
  );
});

test("blocks of version 4 of the provider are read as the plan has them", () => {
  const blocks = ["rules", "action_parameters", "dns", "selector", "credentials", "edge_ips", "account"];
  fc.assert(
    fc.property(rulesets, choices, (given, choose) => {
      const rules = given.map(([rule, parameter]) => ({
        ...rule,
        ...(parameter && { action_parameters: [parameter] }),
      }));
      const app = {
        zone_id: zoneId,
        protocol: "tcp/22",
        dns: [{ type: "CNAME", name: "ssh.example.com" }],
        origin_direct: ["tcp://192.0.2.1:22"],
        edge_ips: [{ type: "dynamic", connectivity: "all" }],
      };
      expectSame(
        printBoth(
          [["cloudflare_ruleset", "waf", { ...named, rules }], entry("app", "ssh", app)],
          choose,
          blocks,
        ),
      );
    }),
    { numRuns: runs(500) },
  );
});

test("a plan with 60 custom rules and 12 token rules has the world of its sources", () => {
  const url = new URL("../../../fixtures/custom-rules/plan.json", import.meta.url);
  const { resource_changes: changes } = JSON.parse(readFileSync(url, "utf8"));
  const entries = changes.map(
    ({ type, name, change }: { type: string; name: string; change: { after: object } }) => {
      const computed = ["created_at", "last_updated", "modified_by"];
      return [
        type,
        name,
        Object.fromEntries(Object.entries(change.after).filter(([member]) => !computed.includes(member))),
      ];
    },
  ) as readonly Entry[];
  for (const numbers of [[], [7], [0, 5, 7, 1, 2, 6], [2, 7, 1, 7, 7]])
    expectSame(printBoth(entries, chooser(numbers)));
});
