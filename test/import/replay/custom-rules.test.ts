/** Custom rules in a replay: a verdict that depends on what the recording does not have is not compared. */
import { describe, expect, test } from "vitest";
import type { CustomRule } from "../../../src/engine/tokens/rulesets/model.ts";
import { createReplay, type ReplayOptions } from "../../../src/import/replay/replay.ts";
import { createTrafficReader } from "../../../src/import/traffic/reader.ts";

const phase = "http_request_firewall_custom";
const zoneOf = (...expressions: readonly string[]) => {
  const rules = expressions.map(
    (expression, i): CustomRule => ({ id: `r${i}`, action: "block", expression }),
  );
  return {
    id: "z",
    input: { configs: [], rules: [], rulesets: [{ id: "e", kind: "zone", phase, rules }] as const },
  };
};

const record = (more: object = {}) => ({
  ClientRequestMethod: "GET",
  ClientRequestHost: "api.example.com",
  ClientRequestURI: "/orders",
  ...more,
});

function replay(expressions: readonly string[], records: readonly object[], against?: readonly string[]) {
  const old = against && { against: [zoneOf(...against)] };
  return replayZones(records, { zones: [zoneOf(...expressions)], ...old });
}

function replayZones(records: readonly object[], options: Omit<ReplayOptions, "nowMs">) {
  const running = createReplay({ nowMs: 0, ...options });
  const file = running.startFile("log");
  const reader = createTrafficReader(file, { format: "logpush" });
  reader.push(Buffer.from(records.map((line) => JSON.stringify(line)).join("\n")));
  reader.end();
  file.end();
  return running.report();
}

test("the address, the country and scores are those of the recording", () => {
  const values = {
    ClientIP: "192.0.2.1",
    ClientCountry: "de",
    ClientASN: 64500,
    BotScore: 1,
    WAFAttackScore: 9,
  };
  for (const expression of [
    "ip.src in {192.0.2.0/24}",
    'ip.src.country eq "DE"',
    "ip.src.asnum eq 64500",
    "cf.bot_management.score lt 2",
    "cf.waf.score eq 9",
  ])
    expect(replay([expression], [record(values)]).verdicts.block).toBe(1);
});

test("values that the recording lacks leave the verdict undecided, and it is not compared", () => {
  const records = [record(), record({ ClientIP: "192.0.2.1" }), record({ ClientIP: "nowhere" })];
  const { verdicts, needs, changes } = replay(["ip.src eq 192.0.2.1"], records, ["true"]);
  expect(verdicts).toMatchObject({ block: 1, undecided: 2 });
  expect(needs).toEqual({ "ip.src": 2 });
  expect(changes?.total).toBe(0);
});

test("an old verdict that is undecided is not compared", () => {
  const { verdicts, needs, changes } = replay(["true"], [record()], ["ip.src eq 192.0.2.1"]);
  expect([verdicts.block, needs, changes?.total]).toEqual([1, { "ip.src": 1 }, 0]);
});

test.each([
  ['http.request.headers["x-team"][0] eq "a"', {}, 1],
  ['http.request.headers["x-team"][0] eq "a"', { RequestHeaders: { "x-team": "a" } }, 0],
  ['any(http.request.headers["x-team"][*] eq "a")', { RequestHeaders: { "x-team": "a" } }, 1],
  ['has_key(http.request.headers, "x-team")', {}, 1],
  ['http.user_agent contains "curl"', {}, 1],
  ['http.user_agent contains "curl"', { ClientRequestUserAgent: "curl/8" }, 0],
  ['http.cookie contains "sid"', {}, 1],
  ['http.request.uri.args["a"][0] eq "1"', {}, 0],
  ['http.request.uri.args["a"][0] eq "1"', { ClientRequestURI: undefined, ClientRequestPath: "/a" }, 1],
  ['http.request.uri.path eq "/orders"', {}, 0],
])("%s of a record with %j", (expression, more, notEvaluated) => {
  expect(replay([expression], [record(more)]).notEvaluated).toBe(notEvaluated);
});

test("a rule that is not reached needs nothing", () => {
  const { notEvaluated, verdicts } = replay(["true", 'http.user_agent contains "curl"'], [record()]);
  expect([notEvaluated, verdicts.block]).toEqual([0, 1]);
});

describe("answers of the edge", () => {
  const rulesets = [
    {
      id: "z",
      kind: "zone",
      phase,
      rules: [
        { id: "C1", action: "block", expression: "ip.src in {10.0.0.0/8}" },
        { id: "c2", action: "managed_challenge", expression: "ip.src.asnum eq 7" },
        { id: "c3", action: "log", expression: 'ip.src.country eq "DE"' },
      ],
    },
  ] as const;
  const zones = [{ id: "z", input: { configs: [], rules: [], rulesets } }];
  const event = (action: string, rule: string, given: object = {}) =>
    record({
      ...{ ClientIP: "192.0.2.1", ClientASN: 1, ClientCountry: "FR", ...given },
      ...{ SecuritySources: ["firewallCustom"], SecurityActions: [action], SecurityRuleIDs: [rule] },
    });
  const none = (given: object) => ({ ...given, SecuritySources: [], SecurityActions: [] });

  test("are compared with the action of the custom rules", () => {
    const report = replayZones(
      [
        event("block", "c1", { ClientIP: "10.1.1.1" }),
        event("managedChallenge", "c2", { ClientASN: 7 }),
        event("log", "c3", { ClientCountry: "de" }),
        event("managedChallengeBypassed", "c2", { ClientASN: 7 }),
      ],
      { zones },
    );
    expect(report.edge).toMatchObject({ compared: 4, same: 4, otherRule: 0, endedByOther: 0, total: 0 });
  });

  test("that differ are changes, with the rule of the edge", () => {
    const report = replayZones(
      [
        event("block", "c1"),
        event("log", "c1", { ClientCountry: "DE" }),
        record({ ClientIP: "10.1.1.1", ClientASN: 1, ClientCountry: "FR", ...none({}) }),
      ],
      { zones },
    );
    expect(report.edge).toMatchObject({ compared: 3, same: 1, otherRule: 1, total: 2 });
    expect(report.edge?.differences).toMatchObject([
      { from: { action: "block", rule: "c1" }, to: { action: "allow" } },
      { from: { action: "allow" }, to: { action: "block", rule: "C1" } },
    ]);
  });

  test("are another product's for a zone without custom rules", () => {
    expect(
      replayZones([event("block", "c1")], { zones: [{ id: "z", input: { configs: [], rules: [] } }] }).edge,
    ).toMatchObject({
      compared: 0,
      endedByOther: 1,
    });
  });

  test("are compared by the rule that ended the request alone, when the zone has it", () => {
    const ended = (SecurityRuleID: string) =>
      record({
        ClientIP: "10.1.1.1",
        ClientASN: 1,
        ClientCountry: "FR",
        SecurityAction: "block",
        SecurityRuleID,
      });
    const report = replayZones([ended("c1"), ended("managed")], { zones });
    expect(report.edge).toMatchObject({ compared: 1, same: 1, endedByOther: 1 });
  });

  test("with an action that is not known are not compared", () => {
    expect(replayZones([event("other", "c1")], { zones }).edge).toBeUndefined();
  });
});
