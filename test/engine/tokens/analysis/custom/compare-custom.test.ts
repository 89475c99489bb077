import { compareZones } from "edgeproof/analysis";
import type { Ruleset, TokenRule, ZoneInput } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";
import { keys, zoneWith } from "./random-rulesets.ts";

type Rule = NonNullable<Ruleset["rules"]>[number];

const withRules = (...rules: readonly Partial<Rule>[]): ZoneInput => {
  const zone = zoneWith("true");
  const [entry] = zone.rulesets!;
  const named = rules.map(
    (rule, i) => ({ id: `z${i}`, action: "block", expression: "true", ...rule }) as Rule,
  );
  return { ...zone, rulesets: [{ ...entry!, rules: named }] };
};

const onlyDifference = (left: ZoneInput, right: ZoneInput) => {
  const compared = compareZones(left, right);
  if (compared.result !== "different") throw new Error(JSON.stringify(compared));
  expect(compared.differences).toHaveLength(1);
  return compared.differences[0];
};

const reasonOf = (left: ZoneInput, right: ZoneInput) => {
  const compared = compareZones(left, right);
  return compared.result === "undecided" ? compared.reason : compared.result;
};

const role = 'lookup_json_string(http.request.jwt.claims["C1"][0], "role")';

describe("a difference between custom rules", () => {
  test("has the claims of the token, also in the placeholder", () => {
    const difference = onlyDifference(zoneWith(`${role} eq "admin"`), zoneWith("false"));
    const [placeholder] = difference.placeholderTokens;
    expect(placeholder).toMatchObject({ kid: "k1", configs: ["C1"], claims: { role: "admin" } });
    const [[name, value]] = difference.request.headers as [[string, string]];
    expect([name, value]).toEqual(["authorization", `Bearer ${placeholder!.value}`]);
    expect(JSON.parse(Buffer.from(value.split(".")[1]!, "base64url").toString())).toEqual({ role: "admin" });
    expect(difference.left).toMatchObject({ action: "block", rule: "z0", tokens: { C1: "valid" } });
    expect(difference.right).toMatchObject({ action: "allow" });
  });

  test("has every value that the rules of either zone read", () => {
    const { request, timeMs } = onlyDifference(
      zoneWith('ip.src.asnum eq 64512 and ip.src in {10.0.0.0/8} and ip.src.country ne "DE"'),
      zoneWith(
        "http.request.timestamp.sec eq 77 and cf.bot_management.score lt 30 and http.request.body.size ge 2",
      ),
    );
    expect(Object.keys(request.fields ?? {}).sort()).toEqual([
      "cf.bot_management.score",
      "http.request.timestamp.sec",
      "ip.src.asnum",
      "ip.src.country",
    ]);
    expect(request.ip).toMatch(/^\d+\./);
    expect(request.body).toBeDefined();
    expect(timeMs === undefined || timeMs === 77_000).toBe(true);
  });

  test("is shown once, however many operations it is about", () => {
    const operations = ["a", "b", "c"].map((name) => ({
      operation_id: name,
      method: "GET",
      host: "api.example.com",
      endpoint: `/${name}`,
    }));
    const rules: TokenRule[] = [
      {
        id: "t",
        action: "log",
        enabled: true,
        expression: 'is_jwt_valid("C1")',
        selector: { include: [{ host: ["api.example.com"] }] },
      },
    ];
    const left = { ...zoneWith("ssl"), rules, operations };
    const compared = compareZones(left, { ...left, rulesets: [] });
    expect(compared.result === "different" && compared.differences.map(({ right }) => right.action)).toEqual([
      "allow",
    ]);
  });

  test("does not matter where a token rule blocks anyway", () => {
    const selector = { include: [{ host: ["api.example.com"] }] };
    const block: TokenRule = {
      id: "t",
      action: "block",
      enabled: true,
      expression: 'http.request.method eq "GET"',
      selector,
    };
    const custom = 'http.host eq "api.example.com" and http.request.method ne "GET"';
    expect(compareZones(zoneWith(custom, [block]), zoneWith("false", [block]))).toEqual({
      result: "equivalent",
    });
    const decisions = compareZones(zoneWith(custom, [block]), zoneWith("false", [block]), {
      observation: "decision",
    });
    expect(decisions.result === "different" && decisions.differences[0].left.rule).toBe("z0");
  });

  test("is found, or excluded, for many rules", () => {
    const many = Array.from({ length: 40 }, (_, i) => ({
      id: `many${i}`,
      expression: `http.request.uri.path contains "/p${i}" and http.user_agent contains "agent${i}"`,
    }));
    expect(compareZones(withRules(...many), withRules(...many.toReversed()))).toEqual({
      result: "equivalent",
    });
    const changed = many.with(20, { id: "many20", expression: 'http.user_agent contains "agent"' });
    expect(onlyDifference(withRules(...many), withRules(...changed)).right.rule).toBe("many20");
    const skip = { action: "skip", action_parameters: { ruleset: "current" } } as const;
    // Requests that later rules match, `/p2` and `agent2` or others before it match as well.
    const late = many.with(20, { ...skip, id: "many20", expression: "ssl" });
    expect(compareZones(withRules(...many), withRules(...late))).toEqual({ result: "equivalent" });
    const skipped = many.with(3, { ...skip, id: "many3", expression: "ssl" });
    expect(compareZones(withRules(...many), withRules(...skipped)).result).toBe("different");
  });

  test("can be in what a rule skips: later rules, and executed rulesets", () => {
    const target = { id: "target", expression: "ip.src eq 10.0.0.1" };
    const skipping = { action: "skip", expression: "ssl" } as const;
    const skip = { ...skipping, action_parameters: { rules: { z: ["target"] } } };
    const none = { ...skipping, action_parameters: { rules: { z: ["other"] } } };
    expect(onlyDifference(withRules(skip, target), withRules(none, target))).toMatchObject({
      request: { ip: "10.0.0.1" },
      left: { action: "allow" },
      right: { action: "block", rule: "target" },
    });
    const [entry] = withRules(
      { ...skipping, action_parameters: { rulesets: ["e"] } },
      { action: "execute", action_parameters: { id: "e" }, expression: "true" },
    ).rulesets!;
    const executed: Ruleset = { ...entry!, id: "e", kind: "custom", rules: [{ ...target, action: "block" }] };
    const zone = { ...zoneWith("true"), rulesets: [entry!, executed] };
    const [, ...others] = entry!.rules!;
    const unskipped = { ...zone, rulesets: [{ ...entry!, rules: others }, executed] };
    expect(onlyDifference(zone, unskipped).right).toMatchObject({ action: "block", rule: "target" });
  });

  test("does not need more than the rules that are reached", () => {
    const open = withRules(
      { action: "skip", action_parameters: { ruleset: "current" } },
      { expression: "ssl" },
    );
    expect(compareZones(open, withRules())).toEqual({ result: "equivalent" });
  });
});

describe("a comparison is undecided, with the part and its place,", () => {
  test("when a function has no model", () => {
    expect(reasonOf(zoneWith('substring(http.request.uri.path, 1) eq "a"'), zoneWith("false"))).toBe(
      'the engine confirmed none of the requests that could show it; it depends on `substring(http.request.uri.path, 1) eq "a"` of the rule `z0` of the ruleset `z` (the function `substring` has no model)',
    );
  });

  test("once, when both zones have the part", () => {
    const unknown = { undecided: "known after apply", expression: "" };
    const [left, right] = [
      { expression: "ip.src in {192.0.2.0/24}" },
      { expression: "ip.src in {192.0.2.0/25}" },
    ];
    expect(
      reasonOf(withRules(left, unknown), withRules(right, unknown)).match(/the rule `z1`/g),
    ).toHaveLength(1);
  });

  test("when a list is not given", () => {
    expect(reasonOf(zoneWith("ip.src in $elsewhere"), zoneWith("false"))).toContain(
      "`ip.src in $elsewhere` of the rule `z0` of the ruleset `z` (the list `$elsewhere` is not given)",
    );
  });

  test("when an import could not read a rule, though it is in both zones", () => {
    const unknown = withRules({ undecided: "known after apply", expression: "" });
    expect(reasonOf(unknown, unknown)).toContain("the rule `z0` of the ruleset `z` (known after apply)");
    const unsupported = withRules({ undecided: "`cf.edge.x` is not supported", expression: "cf.edge.x" });
    expect(compareZones(unsupported, unsupported).result).toBe("equivalent");
    expect(reasonOf(unsupported, withRules({ expression: "false" }))).toContain(
      "`cf.edge.x` of the rule `z0`",
    );
  });

  test("when exposed credentials decide", () => {
    const checked = { expression: "ssl", exposed_credential_check: { username_expression: "x" } };
    expect(reasonOf(withRules(checked), withRules())).toContain("(exposed credentials are not simulated)");
  });

  test("and not when the part is the same in both zones", () => {
    const free = 'substring(http.request.uri.path, 1) eq "a"';
    expect(compareZones(zoneWith(`${free} and ssl`), zoneWith(`ssl and ${free}`)).result).toBe("equivalent");
  });

  test("and not for parts that look the same, of other lists or keys", () => {
    const free = 'any(http.request.jwt.claims.sub.names[*] eq "C1")';
    const left = zoneWith(free);
    const [first, second] = left.configs;
    const other = { ...left, configs: [{ ...first!, credentials: { keys: [keys[1].jwk] } }, second!] };
    expect(reasonOf(left, other)).toContain("`eq` of this value has no model");
  });
});

test("a pattern counts bytes, of which a character has several", () => {
  const header = 'http.request.headers["a"][0]';
  const both = zoneWith(`${header} eq "é" and ${header} matches "^..$"`);
  const { request } = onlyDifference(both, zoneWith("false"));
  expect(request.headers).toEqual([["a", "é"]]);
  const input = zoneWith(`${header} eq "é" and ${header} matches "^.$"`);
  expect(compareZones(input, zoneWith("false")).result).toBe("equivalent");
  const starting = zoneWith(`starts_with(${header}, "a")`);
  expect(compareZones(zoneWith(`${header} matches "^a"`), starting).result).toBe("equivalent");
});
