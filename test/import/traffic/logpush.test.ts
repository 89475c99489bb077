/** Reading one Logpush record. */
import { describe, expect, test } from "vitest";
import { readLogpushLine } from "../../../src/import/traffic/logpush.ts";
import type { RecordedRequest } from "../../../src/import/traffic/recorded-request.ts";
import { silenceOf } from "../../../src/import/traffic/recorded-request.ts";
import { collectTraffic } from "./collect-traffic.ts";

const minimal = {
  ClientRequestMethod: "GET",
  ClientRequestScheme: "https",
  ClientRequestHost: "api.example.com",
  ClientRequestURI: "/v1/orders?page=2",
};

function readLine(line: string) {
  const traffic = collectTraffic();
  readLogpushLine(line, 7, traffic);
  return traffic;
}

const read = (fields: object) => readLine(JSON.stringify({ ...minimal, ...fields }));

function requestOf(fields: object): RecordedRequest {
  const { requests, rejections } = read(fields);
  expect(rejections).toEqual([]);
  return requests[0]!;
}

const rejectionOf = (fields: object) => read(fields).rejections.map(({ reason }) => reason);

describe("a request", () => {
  test("has method, URL with query, and the position as its name", () => {
    expect(requestOf({})).toMatchObject({
      name: "line 7",
      position: 7,
      method: "GET",
      url: "https://api.example.com/v1/orders?page=2",
      headers: [["host", "api.example.com"]],
    });
  });

  test("is named by its ray id and has the name of its zone", () => {
    expect(requestOf({ RayID: "8e5c", ZoneName: "example.com" })).toMatchObject({
      name: "8e5c",
      zoneName: "example.com",
    });
  });

  test("has the path alone when the URI is not recorded, and its query is then stripped", () => {
    const { ClientRequestURI: _, ...fields } = minimal;
    const { requests } = readLine(JSON.stringify({ ...fields, ClientRequestPath: "/v1/orders" }));
    expect(requests[0]?.url).toBe("https://api.example.com/v1/orders");
    expect(requests[0]?.recording.query).toBe("stripped");
    expect(requestOf({}).recording.query).toBe("absent");
  });

  test("has the headers and cookies of the custom fields, user agent and referer", () => {
    const { headers } = requestOf({
      RequestHeaders: { "x-auth": "a" },
      Cookies: { session: "b", "odd=name": "c" },
      ClientRequestUserAgent: "agent",
      ClientRequestReferer: "",
    });
    expect(headers).toEqual([
      ["host", "api.example.com"],
      ["x-auth", "a"],
      ["cookie", "session=b; odd%3Dname=c"],
      ["user-agent", "agent"],
    ]);
  });
});

describe("the time", () => {
  const ms = Date.UTC(2026, 10, 22, 10, 0, 4);

  test.each([
    ["RFC 3339", "2026-11-22T10:00:04Z"],
    ["seconds", ms / 1000],
    ["nanoseconds", ms * 1e6],
  ])("is read from %s", (_form, EdgeStartTimestamp) => {
    expect(requestOf({ EdgeStartTimestamp }).nowMs).toBe(ms);
  });

  test("is absent when it is not recorded", () => {
    expect(requestOf({}).nowMs).toBeUndefined();
  });

  test.each([-1, 1e13, 1e300, "yesterday", "2026-02-30T00:00:00Z", true, null, {}])(
    "%j is rejected",
    (EdgeStartTimestamp) => {
      expect(rejectionOf({ EdgeStartTimestamp })).toEqual([
        expect.stringMatching(/^`EdgeStartTimestamp` must be an RFC 3339 time, or seconds or nanoseconds/),
      ]);
    },
  );
});

describe("a missing header", () => {
  const silence = (fields: object, name: string, index = 0) =>
    silenceOf(requestOf(fields).recording, { kind: "header", name, index });

  test("is stripped without the custom field, and unsure with it", () => {
    expect(silence({}, "authorization")).toBe("stripped");
    expect(silence({ RequestHeaders: null }, "authorization")).toBe("stripped");
    expect(silence({ RequestHeaders: {} }, "authorization")).toBe("unsure");
  });

  test("of a second value is stripped, because one value is recorded", () => {
    expect(silence({ RequestHeaders: {} }, "authorization", 1)).toBe("stripped");
  });

  test("is absent for the user agent when its own field is recorded", () => {
    expect(silence({ ClientRequestUserAgent: "" }, "user-agent")).toBe("absent");
    expect(silence({}, "user-agent")).toBe("stripped");
  });

  test("does not say anything about cookies", () => {
    const recording = requestOf({ RequestHeaders: {} }).recording;
    expect(silenceOf(recording, { kind: "cookie", name: "session", index: 0 })).toBe("stripped");
  });
});

describe("the answer of the edge", () => {
  const edgeOf = (SecuritySources: unknown, SecurityActions: unknown, SecurityRuleIDs: unknown = []) =>
    requestOf({ SecuritySources, SecurityActions, SecurityRuleIDs }).edge;
  const validation = "apiShieldTokenValidation";

  test("is unknown when the security fields are not recorded", () => {
    expect(requestOf({}).edge).toBeUndefined();
    expect(requestOf({ SecuritySources: [] }).edge).toBeUndefined();
  });

  test("is allow when token validation has no event", () => {
    expect(edgeOf([], [])).toEqual({ action: "allow", endedByOther: false });
    expect(edgeOf(["waf"], ["log"])).toEqual({ action: "allow", endedByOther: false });
  });

  test("has action and rule of the same position", () => {
    const edge = edgeOf(["waf", validation], ["log", "block"], ["other", "rule-1"]);
    expect(edge).toEqual({ action: "block", ruleId: "rule-1", endedByOther: false });
  });

  test("is the block when token validation also logged", () => {
    const edge = edgeOf([validation, validation], ["log", "block"], ["rule-1", "rule-2"]);
    expect(edge).toMatchObject({ action: "block", ruleId: "rule-2" });
  });

  test("is unknown when another product ended the request before", () => {
    expect(edgeOf(["waf"], ["block"])).toEqual({ endedByOther: true });
    expect(edgeOf(["waf"], ["managedChallenge"])).toEqual({ endedByOther: true });
  });

  test("has no action when the action is not one of token validation", () => {
    expect(edgeOf([validation], ["challenge"])).toEqual({ endedByOther: false });
  });

  const custom = "firewallCustom";

  test("has the outcome of custom rules beside that of token validation", () => {
    const sources = [custom, custom, validation];
    expect(edgeOf(sources, ["log", "skip", "block"], ["c1", "c2", "t1"])).toEqual({
      action: "block",
      ruleId: "t1",
      endedByOther: false,
      custom: { action: "log", ruleId: "c1" },
    });
  });

  test.each([
    ["block", { action: "block", ruleId: "c1" }],
    ["managedChallenge", { action: "challenge", ruleId: "c1" }],
    ["jschallengeFailed", { action: "challenge", ruleId: "c1" }],
    ["log", { action: "log", ruleId: "c1" }],
    ["managedChallengeBypassed", { action: "allow" }],
    ["constructor", {}],
  ])("of custom rules with the action %s is %j", (action, expected) => {
    const edge = edgeOf([custom], [action], ["c1"]);
    expect(edge?.custom).toEqual(expected);
    const taken = edge?.custom?.action;
    expect(edge?.endedByOther).toBe(taken === "block" || taken === "challenge");
  });

  test("of the rule that ended the request counts, whatever was logged before", () => {
    const { custom: found } =
      edgeOf([custom, custom, custom], ["log", "unknown", "block"], ["c1", "c2", "c3"]) ?? {};
    expect(found).toEqual({ action: "block", ruleId: "c3" });
  });

  test("is read from the earlier fields, which do not have token validation", () => {
    const fields = { FirewallMatchesSources: [custom], FirewallMatchesRuleIDs: ["c1"] };
    const edge = requestOf({ ...fields, FirewallMatchesActions: ["simulate"] }).edge;
    expect(edge).toEqual({ endedByOther: false, custom: { action: "log", ruleId: "c1" } });
  });

  test("is the rule that ended the request, when the events are not recorded", () => {
    expect(requestOf({ SecurityAction: "block", SecurityRuleID: "c1" }).edge).toEqual({
      endedByOther: true,
      endedBy: { action: "block", ruleId: "c1" },
    });
    expect(requestOf({ SecurityAction: "", SecurityRuleID: "" }).edge).toBeUndefined();
    expect(requestOf({ SecurityAction: "log", SecurityRuleID: "c1" }).edge).toBeUndefined();
  });

  test("says that the client passed a challenge of custom rules", () => {
    const passed = { SecuritySources: [custom], SecurityActions: ["challengeSolved"] };
    expect(requestOf(passed).given).toEqual({ fields: {}, challengePassed: true });
    expect(requestOf({ ...passed, SecuritySources: ["waf"] }).given).toBeUndefined();
  });

  test("has the operation, unless it is empty", () => {
    const fields = { SecuritySources: [], SecurityActions: [] };
    expect(requestOf({ ...fields, WebAssetsOperationID: "op" }).edge?.operationId).toBe("op");
    expect(requestOf({ ...fields, WebAssetsOperationID: "" }).edge?.operationId).toBeUndefined();
  });
});

describe("a line that is not a request", () => {
  test.each(["{", "[]", "7", '"text"', "null", "{}}", '{"a":eyJhbGciOi}'])("%s is rejected", (line) => {
    expect(readLine(line).rejections).toEqual([{ position: 7, reason: "the line is not a JSON object" }]);
  });

  test("without text is ignored", () => {
    for (const line of ["", "  ", "\t"])
      expect(readLine(line)).toMatchObject({ requests: [], rejections: [] });
  });

  test.each([
    [{ ClientRequestMethod: undefined }, "`ClientRequestMethod` is missing; add it to the fields of the job"],
    [{ ClientRequestMethod: 7 }, "`ClientRequestMethod` must be a string that is not empty; found a number"],
    [
      { ClientRequestHost: "" },
      "`ClientRequestHost` must be a string that is not empty; found an empty string",
    ],
    [{ ClientRequestScheme: "ftp" }, "`ClientRequestScheme` must be `http` or `https`; found a string"],
    [{ ClientRequestURI: {} }, "`ClientRequestURI` must be a string that is not empty; found an object"],
    [{ ClientRequestURI: "*" }, "`ClientRequestURI` is not a path that starts with `/`"],
    [{ RequestHeaders: [] }, "`RequestHeaders` must be an object; found an array"],
    [{ RequestHeaders: { a: 1 } }, "`RequestHeaders` must be an object of strings; found a number"],
    [{ Cookies: { a: null } }, "`Cookies` must be an object of strings; found null"],
  ])("%j is rejected with the field", (fields, reason) => {
    expect(rejectionOf(fields)).toEqual([reason]);
  });

  test("never has its values in the reason", () => {
    const secret = "eyJhbGciOiJFUzI1NiJ9.e30.c2VjcmV0";
    const fields = [
      "ClientRequestMethod",
      "ClientRequestScheme",
      "RequestHeaders",
      "Cookies",
      "EdgeStartTimestamp",
    ];
    for (const field of fields) {
      for (const value of [secret, [secret], { a: [secret] }]) {
        const { rejections } = read({ [field]: value });
        expect(JSON.stringify(rejections)).not.toContain(secret);
      }
    }
  });
});

test("names of prototypes are ordinary headers and cookies", () => {
  const line = `{${JSON.stringify(minimal).slice(1, -1)},"RequestHeaders":{"__proto__":"a","constructor":"b"},"__proto__":{"RayID":"x"}}`;
  const { requests } = readLine(line);
  expect(requests[0]).toMatchObject({ name: "line 7" });
  expect(requests[0]?.headers.slice(1)).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
});
