/** Law of writes of rulesets: every sequence of them, rejected ones too, is that of lists of rules in a plain model. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { runs } from "../../support/runs.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();
const phase = "http_request_firewall_custom";
const owners = { zone: "/zones/z1/rulesets", account: "/accounts/a1/rulesets" } as const;
type Owner = keyof typeof owners;
const entryKind = { zone: "zone", account: "root" } as const;
const world = { accounts: [{ id: "a1" }], zones: [{ id: "z1", account_id: "a1", name: "example.com" }] };

interface Rule {
  id: string | undefined;
  ref: string | undefined;
  action: string;
  action_parameters?: Json;
  expression: string;
  description: string;
  enabled: boolean;
  version: number;
}

interface Ruleset {
  readonly owner: Owner;
  readonly id: string;
  readonly kind: string;
  name: string;
  version: number;
  rules: Rule[];
}

/** A rule of a body: numbers choose among the rules and rulesets that exist. */
interface Given {
  readonly ref: string | undefined;
  readonly action: "block" | "log" | "execute";
  readonly target: number;
  readonly expression: string;
  readonly description: string | null | undefined;
  readonly enabled: boolean | undefined;
  readonly old: number | undefined;
}

const ref = fc.option(fc.constantFrom("a", "b", "c", "d", "e"), { nil: undefined });
const expression = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("ssl", 'http.host eq "a"', "true") },
  { weight: 1, arbitrary: fc.constant("ssl or") },
);
const given: fc.Arbitrary<Given> = fc.record({
  ref,
  action: fc.constantFrom("block", "block", "log", "execute"),
  target: fc.nat(7),
  expression,
  description: fc.constantFrom(undefined, null, "one", "two"),
  enabled: fc.constantFrom(undefined, true, false),
  old: fc.option(fc.nat(7), { nil: undefined, freq: 2 }),
});
const edited = fc.record(
  { action: fc.constantFrom("block", "log"), expression, description: fc.constantFrom("three", null), ref },
  { requiredKeys: [] },
);
const position = fc.oneof(
  fc.constant(undefined),
  fc.record({ index: fc.integer({ min: 0, max: 6 }) }),
  fc.record({ before: fc.oneof(fc.constant(""), fc.nat(7)) }),
  fc.record({ after: fc.oneof(fc.constant(""), fc.nat(7)) }),
);
type GivenPosition = undefined | { index?: number; before?: "" | number; after?: "" | number };

const owner = fc.constantFrom<Owner>("zone", "account");
const rules = fc.array(given, { maxLength: 4 });
const step = fc.record({
  how: fc.oneof(
    fc.record({ do: fc.constant("create" as const), owner, isEntry: fc.boolean(), rules }),
    fc.record({ do: fc.constant("entry" as const), owner, rules }),
    fc.record({ do: fc.constant("replace" as const), ruleset: fc.nat(7), rules: fc.option(rules) }),
    fc.record({ do: fc.constant("delete" as const), ruleset: fc.nat(7), isExecuted: fc.constant(false) }),
    fc.record({ do: fc.constant("delete" as const), ruleset: fc.nat(7), isExecuted: fc.constant(true) }),
    fc.record({ do: fc.constant("add" as const), ruleset: fc.nat(7), rule: given, position }),
    fc.record({ do: fc.constant("add" as const), ruleset: fc.nat(7), rule: given, position }),
    fc.record({ do: fc.constant("edit" as const), ruleset: fc.nat(7), rule: fc.nat(7), edited, position }),
    fc.record({ do: fc.constant("edit" as const), ruleset: fc.nat(7), rule: fc.nat(7), edited, position }),
    fc.record({ do: fc.constant("remove" as const), ruleset: fc.nat(7), rule: fc.nat(7) }),
  ),
  dryRun: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** Often the account has a ruleset first, which the rules of both owners can execute. */
const steps = fc
  .tuple(fc.boolean(), fc.array(step, { minLength: 5, maxLength: 25 }))
  .map(([isFirst, others]): Step[] => (isFirst ? [executable, ...others] : others));
const executable: Step = {
  how: { do: "create", owner: "account", isEntry: false, rules: [] },
  dryRun: false,
};

/** The request of a step, and the model after it; undefined when it must be rejected. */
interface Planned {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly after: Ruleset[] | undefined;
}

const missing = "f".repeat(32);

/** The id that a number chooses; one that does not exist among none. */
function choose<T extends { id: string | undefined }>(all: readonly T[], n: number): T | undefined {
  return all[n % Math.max(all.length, 1)];
}

function bodyOf(rule: Given, model: readonly Ruleset[], old: readonly Rule[]): Json {
  const customs = model.filter(({ kind }) => kind === "custom");
  const { target, old: chosen, ...members } = rule;
  return {
    ...members,
    ...(rule.action === "execute" && {
      action_parameters: { id: choose(customs, target)?.id ?? missing },
    }),
    ...(chosen !== undefined && old.length > 0 && { id: choose(old, chosen)?.id }),
  };
}

/** Whether a rule may be in a ruleset: plain, or executing a custom ruleset of the owner or of its account. */
function isValid(rule: Rule, { owner: of, kind }: Ruleset, model: readonly Ruleset[]): boolean {
  if (rule.expression === "ssl or") return false;
  if (rule.action !== "execute") return true;
  const target = model.find((ruleset) => ruleset.id === rule.action_parameters?.id);
  if (kind === "custom" || target === undefined || target.kind !== "custom") return false;
  return of === "zone" || target.owner === "account";
}

function isConsistent(list: readonly Rule[]): boolean {
  const unique = (values: readonly unknown[]) => {
    const known = values.filter((value) => value !== undefined);
    return new Set(known).size === known.length;
  };
  return unique(list.map(({ id }) => id)) && unique(list.map(({ ref: name }) => name));
}

function ruleOf(body: Json, old: Rule | undefined): Rule {
  const content = {
    id: old?.id,
    ref: body.ref ?? old?.ref,
    action: body.action,
    action_parameters: body.action_parameters,
    expression: body.expression,
    description: body.description ?? "",
    enabled: body.enabled ?? true,
  };
  const { version = 0, ...before } = old ?? {};
  const isSame = old !== undefined && JSON.stringify(content) === JSON.stringify(before);
  return { ...content, version: isSame ? version : version + 1 };
}

/** The index of a position among rules with the moved one last, or in its place; undefined when it is not one. */
function place(list: readonly Rule[], moved: Rule, at: Json): Rule[] | undefined {
  if (at === undefined) return [...list];
  const rest = list.filter((rule) => rule !== moved);
  const beside = (id: string) => rest.findIndex((rule) => rule.id === id);
  let index: number;
  if (at.index !== undefined) {
    if (at.index < 1 || at.index > list.length) return undefined;
    index = at.index - 1;
  } else if (at.before !== undefined) index = at.before === "" ? 0 : beside(at.before);
  else index = at.after === "" ? rest.length : beside(at.after) + 1 || -1;
  if (index < 0) return undefined;
  return rest.toSpliced(index, 0, moved);
}

function positionOf(at: GivenPosition, list: readonly Rule[]): Json {
  if (at === undefined || at.index !== undefined) return at;
  const idOf = (chosen: "" | number) => (chosen === "" ? "" : (choose(list, chosen)?.id ?? missing));
  return at.before === undefined ? { after: idOf(at.after!) } : { before: idOf(at.before) };
}

function withRules(model: readonly Ruleset[], ruleset: Ruleset, list: Rule[] | undefined) {
  const next = { ...ruleset, version: ruleset.version + 1, ...(list && { rules: list }) };
  const after = model.some(({ id }) => id === ruleset.id)
    ? model.map((other) => (other.id === ruleset.id ? next : other))
    : [...model, next];
  const isAccepted = isConsistent(next.rules) && next.rules.every((rule) => isValid(rule, next, after));
  return isAccepted ? after : undefined;
}

function replaced(list: readonly Given[], model: readonly Ruleset[], old: readonly Rule[]) {
  const bodies = list.map((rule) => bodyOf(rule, model, old));
  const rulesAfter = bodies.map((body) =>
    ruleOf(
      body,
      body.id !== undefined
        ? old.find(({ id }) => id === body.id)
        : body.ref === undefined
          ? undefined
          : old.find(({ ref: name }) => name === body.ref),
    ),
  );
  return { bodies, rulesAfter };
}

/** Whether a rule executes a ruleset. */
function executes(model: readonly Ruleset[], id: string): boolean {
  return model.some(({ rules: list }) =>
    list.some(({ action, action_parameters: parameters }) => action === "execute" && parameters.id === id),
  );
}

/** Ids that are not known yet. */
const unknown = "unknown";

function planOf({ how }: Step, model: readonly Ruleset[]): Planned {
  if (how.do === "create") {
    const kind = how.isEntry ? entryKind[how.owner] : "custom";
    const { bodies, rulesAfter } = replaced(how.rules, model, []);
    const isTaken = how.isEntry && model.some((other) => other.owner === how.owner && other.kind === kind);
    const fresh = { owner: how.owner, id: unknown, kind, name: "n", version: 0, rules: [] };
    return {
      method: "POST",
      path: owners[how.owner],
      body: { name: "n", kind, phase, rules: bodies },
      after: isTaken ? undefined : withRules(model, fresh, rulesAfter),
    };
  }
  if (how.do === "entry") {
    const kind = entryKind[how.owner];
    const before = model.find((other) => other.owner === how.owner && other.kind === kind) ?? {
      ...{ owner: how.owner, id: unknown, kind, name: "default", version: 0, rules: [] },
    };
    const { bodies, rulesAfter } = replaced(how.rules, model, before.rules);
    return {
      method: "PUT",
      path: `${owners[how.owner]}/phases/${phase}/entrypoint`,
      body: { rules: bodies },
      after: withRules(model, before, rulesAfter),
    };
  }
  const executed = model.filter(({ id }) => executes(model, id));
  const isAmongExecuted = how.do === "delete" && how.isExecuted && executed.length > 0;
  const ruleset = choose(isAmongExecuted ? executed : model, how.ruleset);
  if (ruleset === undefined) return { method: "DELETE", path: `${owners.zone}/${missing}`, after: undefined };
  const path = `${owners[ruleset.owner]}/${ruleset.id}`;
  const before = ruleset.rules;
  if (how.do === "replace") {
    if (how.rules === null)
      return {
        method: "PUT",
        path,
        body: { kind: ruleset.kind },
        after: withRules(model, ruleset, undefined),
      };
    const { bodies, rulesAfter } = replaced(how.rules, model, before);
    return {
      method: "PUT",
      path,
      body: { rules: bodies },
      after: withRules(model, ruleset, rulesAfter),
    };
  }
  if (how.do === "delete") {
    return {
      method: "DELETE",
      path,
      after: executed.includes(ruleset) ? undefined : model.filter((other) => other !== ruleset),
    };
  }
  if (how.do === "add") {
    const { id, ...body } = bodyOf(how.rule, model, before);
    const added = ruleOf(body, undefined);
    const at = positionOf(how.position as GivenPosition, before);
    const list = place([...before, added], added, at);
    return {
      method: "POST",
      path: `${path}/rules`,
      body: { ...body, ...(id && { id }), ...(at && { position: at }) },
      after: id === undefined && list ? withRules(model, ruleset, list) : undefined,
    };
  }
  const old = choose(before, how.rule);
  const rulePath = `${path}/rules/${old?.id ?? missing}`;
  if (how.do === "remove") {
    const list = before.filter((rule) => rule !== old);
    return {
      method: "DELETE",
      path: rulePath,
      after: old && withRules(model, ruleset, list),
    };
  }
  const at = positionOf(how.position as GivenPosition, before);
  const body = { ...how.edited, ...(at && { position: at }) };
  if (old === undefined) return { method: "PATCH", path: rulePath, body, after: undefined };
  const { action_parameters } = old;
  const content = { ...old, ...how.edited, ref: how.edited.ref ?? old.ref };
  const parameters = how.edited.action === undefined ? action_parameters : undefined;
  const next = ruleOf({ ...content, action_parameters: parameters }, old);
  const list = place(
    before.map((rule) => (rule === old ? next : rule)),
    next,
    at,
  );
  return { method: "PATCH", path: rulePath, body, after: list && withRules(model, ruleset, list) };
}

const met = new Set<string>();

describe.each(Object.entries(kinds))("%s", (kind, create) => {
  test.skipIf(isMissing(kind))("any sequence of writes is that of the model", async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      const edge = createEdge({ store: await create().open(), world });
      const client = clientOf(edge);
      let model: Ruleset[] = [];
      const seen = new Set<string>();
      const expectModel = async () => {
        for (const [name, path] of Object.entries(owners)) {
          const listed = (await client.ok("GET", `${path}?per_page=50`)).result;
          const own = model.filter((ruleset) => ruleset.owner === name);
          expect(listed.map(({ id }: Json) => id)).toEqual(own.map(({ id }) => id));
        }
        for (const { owner: of, ...ruleset } of model) {
          const { result } = await client.ok("GET", `${owners[of]}/${ruleset.id}`);
          const { rules: expected, ...members } = ruleset;
          expect(result).toMatchObject({ ...members, version: `${ruleset.version}` });
          const shown = result.rules.map(({ last_updated, ...rule }: Json) => rule);
          expect(shown).toEqual(
            expected.map((rule) => JSON.parse(JSON.stringify({ ...rule, version: `${rule.version}` }))),
          );
        }
      };
      for (const step of all) {
        const { method, path, body, after } = planOf(step, model);
        const response = await client(method, `${path}${step.dryRun ? "?dry_run=true" : ""}`, body);
        const text = await response.text();
        const what = `${method} ${path} ${JSON.stringify(body)}: ${response.status} ${text}`;
        const isDeleted = step.how.do === "delete";
        const outcome = after === undefined ? "rejected" : step.dryRun ? "checked" : "written";
        met.add(`${step.how.do} ${outcome}`);
        if (after === undefined) expect([400, 404], what).toContain(response.status);
        else expect(response.status, what).toBe(isDeleted ? 204 : 200);
        if (after !== undefined && step.dryRun && !isDeleted) expect(JSON.parse(text).result).toBe(null);
        if (after !== undefined && !step.dryRun) {
          model = after;
          // The ids that the service chose.
          if (!isDeleted) {
            const { result } = JSON.parse(text);
            const changed = model.find(({ id }) => id === result.id) ?? model.at(-1)!;
            if (changed.id === unknown) {
              expect(seen.has(result.id)).toBe(false);
              seen.add(result.id);
            }
            const learned = changed.rules.map((rule, i) => {
              const { id } = result.rules[i];
              if (rule.id === undefined) expect(seen.has(id), what).toBe(false);
              seen.add(id);
              return { ...rule, id: rule.id ?? id, ref: rule.ref ?? id };
            });
            const known = { ...changed, id: result.id, rules: learned };
            model = model.map((other) => (other === changed ? known : other));
          }
        }
        await expectModel();
      }
      // Every ruleset can be put back as it was read: only its version changes.
      for (const { owner: of, id } of model) {
        const { result } = await client.ok("GET", `${owners[of]}/${id}`);
        const put = (await client.ok("PUT", `${owners[of]}/${id}`, result)).result;
        expect(put.rules).toEqual(result.rules);
        expect(put.version).toBe(`${Number(result.version) + 1}`);
      }
      await edge.close();
    });
    const count = kind === "memory" ? runs(100, 40) : runs(20, 8);
    await fc.assert(property, { numRuns: count });
    const outcomes = ["rejected", "written"];
    const ways = ["create", "entry", "replace", "delete", "add", "edit", "remove"];
    if (kind === "memory")
      expect([...met]).toEqual(
        expect.arrayContaining(ways.flatMap((way) => outcomes.map((outcome) => `${way} ${outcome}`))),
      );
  });
});
