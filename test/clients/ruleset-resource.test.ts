/**
 * The requests of the provider's Terraform resource for rulesets, in its order and with bodies as its encoder writes them
 * (`observed`: sources of its major versions 4 and 5): a plan is checked by a dry run, an update has all members, and null for
 * one of the ruleset that was removed from the configuration.
 */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { clientOf, type Json } from "../support/client.ts";

const phase = "http_request_firewall_custom";
const world = {
  accounts: [{ id: "a1" }],
  zones: [{ id: "z1", name: "example.com", account_id: "a1" }],
};

/** The members that a resource configures; the others are known after it is applied. */
interface Config {
  readonly name: string;
  readonly kind: string;
  readonly phase: string;
  readonly description?: string;
  readonly rules?: readonly Json[];
}

function resourcesOf(profile: "spec" | "provider") {
  const calls: string[] = [];
  const edge = createEdge({
    world,
    profile,
    onAnswer: ({ method, endpoint, status }) => calls.push(`${method} ${endpoint} ${status}`),
  });
  /** The state of a resource of an owner, which the steps of the tool change. */
  const resource = (owner: string) => {
    const client = clientOf(edge, `${owner}/rulesets`);
    let state: Json;
    let deleted: Json;
    const read = async () => {
      state = (await client.ok("GET", `/${state.id}`)).result;
      return state;
    };
    /** Ids of planned rules are those of the state with the same `ref`. */
    const planned = (config: Config) => ({
      ...config,
      ...(config.rules && {
        rules: config.rules.map((rule) => {
          const known = state?.rules.find(({ ref }: Json) => ref === rule.ref);
          return { enabled: true, ...(known && { id: known.id }), ...rule };
        }),
      }),
    });
    const updateOf = (config: Config) => ({
      ...(config.description === undefined && state.description !== "" && { description: null }),
      ...(config.rules === undefined && state.rules.length > 0 && { rules: null }),
      ...planned(config),
      id: state.id,
    });
    /** The result has all configured members; else the tool reports an inconsistent result. */
    const apply = (config: Config, { result }: Json) => {
      expect(result).toMatchObject(JSON.parse(JSON.stringify(config)));
      if (config.description === undefined) expect(result.description).toBe("");
      if (config.rules === undefined) expect(result.rules).toEqual([]);
      state = result;
      return state;
    };
    return {
      read,
      create: async (config: Config) => {
        expect((await client.ok("POST", "?dry_run=true", planned(config))).result).toBe(null);
        return apply(config, await client.ok("POST", "", planned(config)));
      },
      update: async (config: Config) => {
        await read();
        expect((await client.ok("PUT", `/${state.id}?dry_run=true`, updateOf(config))).result).toBe(null);
        return apply(config, await client.ok("PUT", `/${state.id}`, updateOf(config)));
      },
      delete: async () => {
        const response = await client("DELETE", `/${state.id}`);
        // A body would be an error of major version 4.
        expect([response.status, await response.text()]).toEqual([204, ""]);
        [deleted, state] = [state, undefined];
      },
      import: (id: string) => {
        state = { id };
        return read();
      },
      refresh: async () => {
        const response = await client("GET", `/${(state ?? deleted).id}`);
        return response.status === 404 ? "removed from the state" : "kept";
      },
      state: () => state,
    };
  };
  return { edge, calls, resource };
}

const log = (ref: string) => ({ ref, description: ref, expression: "ssl", action: "log" });

describe.each(["spec", "provider"] as const)("profile %s", (profile) => {
  test.each([
    ["/zones/z1", "zone"],
    ["/accounts/a1", "root"],
  ])(
    "a custom ruleset and the entry point of %s are created, changed, imported and deleted",
    async (owner, kind) => {
      const { edge, calls, resource } = resourcesOf(profile);
      const inAccount = kind === "root";
      // An account executes rulesets for the zones of a condition.
      const expression = inAccount ? '(cf.zone.name eq "example.com")' : "true";
      const custom = resource(owner);
      const response = { status_code: 403, content: "no", content_type: "text/plain" };
      const block = { ...log("b"), action: "block", action_parameters: { response } };
      const configured = {
        name: "Partners",
        kind: "custom",
        phase,
        description: "One.",
        rules: [log("a"), block],
      };
      const { id, rules } = await custom.create(configured);
      const entry = resource(owner);
      const execute = { ref: "run", expression, action: "execute", action_parameters: { id } };
      const skip = {
        ...log("s"),
        action: "skip",
        action_parameters: { ruleset: "current" },
        logging: { enabled: true },
      };
      await entry.create({ name: "Entry", kind, phase, rules: [execute, skip] });
      const request = { method: "GET", url: "https://example.com/" };
      expect((await edge.tokens.evaluate("z1", request)).action).toBe("block");

      // Reordered, one changed, one removed, one new: rules with a ref keep their ids.
      const changed = await custom.update({
        ...configured,
        rules: [log("c"), { ...log("a"), enabled: false }],
      });
      expect(changed.rules[1].id).toBe(rules[0].id);
      expect((await edge.tokens.evaluate("z1", request)).action).toBe("log");
      // A plan without a change reads only.
      expect(await custom.read()).toEqual(changed);
      // Members that left the configuration are removed.
      await custom.update({ name: "Partners", kind: "custom", phase });

      const imported = resource(owner);
      expect(await imported.import(id)).toEqual(custom.state());
      await imported.update({ ...configured, description: "Imported." });

      await entry.delete();
      await custom.delete();
      expect(await custom.refresh()).toBe("removed from the state");
      const endpoint = `rulesets.${inAccount ? "accounts" : "zones"}`;
      const create = Array(2).fill(`POST ${endpoint}.create 200`);
      const update = [`GET ${endpoint}.get 200`, ...Array(2).fill(`PUT ${endpoint}.replace 200`)];
      expect(calls).toEqual([
        ...[...create, ...create],
        ...[...update, `GET ${endpoint}.get 200`, ...update],
        ...[`GET ${endpoint}.get 200`, ...update],
        ...[`DELETE ${endpoint}.delete 204`, `DELETE ${endpoint}.delete 204`],
        // The one failure, which the resource expects of a ruleset that is gone.
        `GET ${endpoint}.get 404`,
      ]);
    },
  );

  test("a new name replaces the ruleset: it is deleted, then created", async () => {
    const { calls, resource } = resourcesOf(profile);
    const limits = resource("/zones/z1");
    const rule = {
      ...log("a"),
      action: "block",
      ratelimit: {
        characteristics: ["cf.colo.id", "ip.src"],
        period: 60,
        requests_per_period: 10,
        mitigation_timeout: 60,
      },
    };
    const config = { name: "Limits", kind: "zone", phase: "http_ratelimit", rules: [rule] };
    await limits.create(config);
    await limits.delete();
    await limits.create({ ...config, name: "Renamed" });
    expect(calls.filter((call) => !/ 20[04]$/.test(call))).toEqual([]);
  });

  test("a second entry point is rejected by the dry run with the code and the pointer of the service", async () => {
    const { edge, resource } = resourcesOf(profile);
    const config = { name: "Entry", kind: "zone", phase, rules: [log("a")] };
    await resource("/zones/z1").create(config);
    const failure = await clientOf(edge, "/zones/z1/rulesets")("POST", "?dry_run=true", config);
    expect(failure.status).toBe(400);
    const { errors } = (await failure.json()) as Json;
    expect(errors).toMatchObject([{ code: 20217, source: { pointer: "/kind" } }]);
  });
});
