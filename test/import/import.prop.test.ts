/** Laws of reading files: deterministic, round trips, and no file makes a reader throw. */
import { readdirSync, readFileSync } from "node:fs";
import { type ImportFile, worldFrom } from "edgeproof/world";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWorld } from "../../src/import/world-from.ts";
import { runs } from "../support/runs.ts";
import {
  config,
  entry,
  key,
  operation,
  planFile,
  rule,
  stateFile,
  zone,
  zoneId,
} from "./terraform/documents.ts";

const folder = new URL("../../fixtures/own-configuration/", import.meta.url);
const samples: readonly ImportFile[] = readdirSync(folder)
  .filter((name) => /\.(json|tfstate|ndjson)$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const host = name.map((label) => `${label}.example.com`);

const tokens = fc
  .record({
    configs: fc.uniqueArray(fc.record({ id: fc.uuid(), title: name }), {
      selector: ({ id }) => id,
      minLength: 1,
      maxLength: 3,
    }),
    rules: fc.uniqueArray(
      fc.record({
        id: fc.uuid(),
        title: name,
        action: fc.constantFrom("log", "block"),
        enabled: fc.boolean(),
        host,
      }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
    ),
    operations: fc.uniqueArray(
      fc.record({
        operation_id: fc.uuid(),
        method: fc.constantFrom("GET", "POST"),
        host,
        endpoint: name.map((path) => `/${path}`),
      }),
      {
        selector: ({ method, host: of, endpoint }) => `${method} ${of} ${endpoint}`,
        minLength: 1,
        maxLength: 4,
      },
    ),
  })
  .map(({ configs, rules, operations }) => ({
    operations,
    configs: configs.map((config) => ({
      ...config,
      description: "",
      token_type: "JWT",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: { keys: [key] },
    })),
    rules: rules.map(({ host: selected, ...rest }) => ({
      ...rest,
      description: "",
      expression: `is_jwt_valid("${configs[0]?.id}")`,
      selector: { include: [{ host: [selected] }] },
    })),
  }));

type Tokens = typeof tokens extends fc.Arbitrary<infer T> ? T : never;

function envelopesOf({ configs, rules, operations }: Tokens): ImportFile[] {
  return Object.entries({ zones: [zone], configs, rules, operations }).map(([list, result]) => ({
    name: `${list}.json`,
    text: JSON.stringify({ success: true, errors: [], messages: [], result }),
  }));
}

function stateOf({ configs, rules, operations }: Tokens): ImportFile {
  const lists = [
    ["cloudflare_zone", [zone]],
    ["cloudflare_token_validation_config", configs],
    [
      "cloudflare_token_validation_rules",
      rules.map((rule, i) => ({ ...rule, created_at: `2026-01-01T00:00:0${i}Z` })),
    ],
    [
      "cloudflare_api_shield_operation",
      operations.map((operation) => ({ ...operation, id: operation.operation_id })),
    ],
  ] as const;
  const resources = lists.flatMap(([type, values]) =>
    values.map((value, i) => ({
      address: `${type}.r[${i}]`,
      mode: "managed",
      type,
      name: "r",
      index: i,
      values: { exclude: null, ...value, zone_id: zoneId },
      sensitive_values: {},
    })),
  );
  const text = JSON.stringify({ format_version: "1.0", values: { root_module: { resources } } });
  return { name: "state.json", text };
}

describe("round trips", () => {
  test("token validation that is saved as responses or as a state is read as it was", () => {
    fc.assert(
      fc.property(tokens, (given) => {
        for (const files of [envelopesOf(given), [stateOf(given)]]) {
          const { world, report } = worldFrom(files);
          expect(report.undecided).toEqual([]);
          expect(world.zones?.[0]?.token_validation).toEqual(given);
        }
      }),
    );
  });
});

describe("reading", () => {
  test("is deterministic, and every place is in the file", () => {
    for (const { name, text } of samples) {
      const read = () => readWorld([{ name, text }]);
      expect(JSON.stringify(read())).toBe(JSON.stringify(read()));
      const result = read();
      if (!result.ok) continue;
      const lines = text.split("\n");
      for (const { at } of result.value.report.accepted) {
        expect(lines[at.start.line - 1]?.length).toBeGreaterThanOrEqual(at.start.column - 1);
        expect(result.value.sources.locate("/zones/0")?.file ?? name).toBe(name);
      }
    }
  });

  test("every cut of a file is a world or a fault with a position", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ name, text }, part) => {
          expectAnswer({ name, text: text.slice(0, Math.floor(text.length * part)) });
        },
      ),
    );
  });

  test("values of any type in any place are a world or a fault, never an exception", () => {
    const odd = fc.constantFrom<unknown>(
      ...[null, true, false, 0, -1, 1e308, 2 ** 53, "", "\u0000", "__proto__", "x".repeat(300)],
      ...[
        [],
        [null],
        [[]],
        {},
        { __proto__: null, constructor: 1 },
        JSON.parse('{"__proto__": {"id": 1}, "constructor": []}'),
      ],
      "true",
      [true],
      { value: 1, type: "number" },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.nat(),
        odd,
        fc.boolean(),
        ({ name, text }, seed, value, inLine) => {
          expectAnswer({
            name,
            text:
              name.endsWith("ndjson") && inLine ? mutateLine(text, seed, value) : mutate(text, seed, value),
          });
        },
      ),
      { numRuns: runs(600) },
    );
  });

  test("every member of every resource can have any type", () => {
    const values = [null, true, 0, 1e308, "", "__proto__", [], [5], [null], [[]], {}, { value: 1 }];
    const { text } = stateFile(
      entry("zone", "z", zone),
      entry("config", "c", config),
      entry("rule", "r", { ...rule, position: { after: rule.id } }),
      entry("rule", "s", { ...rule, id: config.id, created_at: "2026-01-01T00:00:00Z" }),
      entry("operation", "o", operation),
      entry("operation", "p", { ...operation, id: config.id }),
    );
    for (let place = 0; place < 150; place++)
      for (const value of values) {
        const changed = replaceAt(JSON.parse(text), { left: place }, value);
        expectAnswer({ name: "state.json", text: JSON.stringify(changed) });
      }
    const unknown = { after_unknown: { title: true, host: true, expression: true } };
    for (const value of values) {
      const odd = { ...rule, ...operation, enabled: value, selector: value, method: value, endpoint: value };
      expectAnswer(planFile([entry("rule", "r", odd, unknown), entry("operation", "o", odd, unknown)]));
      const nested = { ...odd, expression: value, selector: { include: value, exclude: value }, host: value };
      expectAnswer(
        planFile([entry("rule", "r", nested), entry("operation", "o", nested), entry("config", "c", nested)]),
      );
    }
  });

  test("names of the prototype are ids like others", () => {
    const result = ["__proto__", "constructor", "toString"].map((id) => ({
      operation_id: id,
      zone_id: id,
      method: "GET",
      host: "a.example.com",
      endpoint: "/",
    }));
    const { world } = worldFrom([{ name: "o.json", text: JSON.stringify({ success: true, result }) }]);
    expect(world.zones?.map(({ id }) => id)).toEqual(["__proto__", "constructor", "toString"]);
    expect(({} as Record<string, unknown>)["operation_id"]).toBeUndefined();
  });

  test("modules nested in many levels and references in circles end", () => {
    let module: object = { resources: [] };
    for (let level = 0; level < 240; level++) module = { child_modules: [module] };
    expectAnswer({
      name: "deep.json",
      text: JSON.stringify({ format_version: "1.0", values: { root_module: module } }),
    });
    expectAnswer({ name: "deeper.json", text: `${'{"format_version":"1.0","values":'.repeat(3_000)}1` });
    const call = { expressions: { x: { references: ["var.x"] } } };
    const change = { after: {}, after_unknown: { expression: true }, actions: ["create"] };
    const address = `${"module.a.".repeat(40)}cloudflare_token_validation_rules.r`;
    const plan = {
      format_version: "1.2",
      resource_changes: [
        { address, mode: "managed", type: "cloudflare_token_validation_rules", name: "r", change },
      ],
      configuration: { root_module: { module_calls: { a: call } } },
    };
    expectAnswer({ name: "plan.json", text: JSON.stringify(plan) });
  });
});

/** Asserts that a file is read, or rejected with a position and a sentence. */
function expectAnswer(file: ImportFile): void {
  const read = readWorld([file], { withSecrets: true });
  if (read.ok) {
    JSON.stringify(read.value);
    return;
  }
  for (const { at, message } of read.problems) {
    const { line, column } = at.start;
    expect([line >= 1, column >= 1]).toEqual([true, true]);
    expect(message).toMatch(/^[A-Z`].*\.$/s);
  }
}

/** Replaces the value at one place of a document. */
function mutate(text: string, seed: number, value: unknown): string {
  try {
    return JSON.stringify(replaceAt(JSON.parse(text), { left: seed % 600 }, value));
  } catch {
    return text.replace(/[[{"]/g, (mark, at: number) => (at === seed % text.length ? "," : mark));
  }
}

function mutateLine(text: string, seed: number, value: unknown): string {
  const lines = text.trim().split("\n");
  return lines.map((line) => (line.includes("test_state") ? mutate(line, seed, value) : line)).join("\n");
}

function replaceAt(node: unknown, counter: { left: number }, value: unknown): unknown {
  if (counter.left-- === 0) return value;
  if (Array.isArray(node)) return node.map((item) => replaceAt(item, counter, value));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, member]) => [name, replaceAt(member, counter, value)]),
  );
}
