/** The check of an application in the engines of the playground: its own text, and what is known of the account. */
import { expect, test } from "vitest";
import type { AppCheck } from "../../../src/workbench/messages.ts";
import { askEngines } from "../../support/playground.ts";

const check = async (text: string, facts = "") =>
  (await askEngines<AppCheck>("", "app/check", { text, facts })).result;
const body = (origin: string, name = "ssh.example.com") => `{
  // SSH
  "protocol": "tcp/22",
  "dns": { "type": "CNAME", "name": "${name}" },
  "origin_direct": ["${origin}"]
}`;

test("a rejected application has its code, its line and its fix, and no stored form", async () => {
  const { findings, fixed, stored } = await check(body("tcp://2001:db8::1:22"));
  expect(findings.map(({ code, places }) => [code, places[0]?.line])).toEqual([[11002, 5]]);
  expect(fixed).toBe(body("tcp://[2001:db8::1]:22"));
  expect(stored).toBeUndefined();
});

test("an accepted application has its stored form, with the defaults that it leaves out", async () => {
  const { findings, stored } = await check(body("tcp://192.0.2.1:22"));
  expect(findings).toEqual([]);
  expect(JSON.parse(stored ?? "")).toMatchObject({
    protocol: "tcp/22",
    tls: "off",
    edge_ips: { type: "dynamic", connectivity: "all" },
  });
});

test("facts decide checks that are not evaluated without them", async () => {
  const facts = '{ "zone": "z1", "zones": [{ "id": "z1", "name": "example.org" }] } // one zone';
  const text = body("tcp://192.0.2.1:22");
  const needsZone = ({ notEvaluated }: AppCheck) => notEvaluated.some(({ needs }) => needs.includes("zone"));
  expect(needsZone(await check(text))).toBe(true);
  const known = await check(text, facts);
  expect(needsZone(known)).toBe(false);
  expect(known.findings.map(({ level, places }) => [level, places[0]?.line])).toEqual([["warning", 4]]);
  expect((await check(body("tcp://192.0.2.1:22", "ssh.example.org"), facts)).findings).toEqual([]);
  const small = '{ "plan": "pay-as-you-go", "apps": [{ "protocol": "tcp/22" }] }';
  expect((await check(text, small)).findings.map(({ level }) => level)).toEqual(["error"]);
});

test.each([
  ["a text that is not JSON", '{\n  "plan": }', /^Line 2 of the facts: /],
  ["an unknown member", '{ "plans": "add-on" }', /plans/],
  ["a wrong value", '{ "plan": "free" }', /\/plan/],
  ["another type", "[]", /object/],
])("facts are rejected with a sentence: %s", async (_name, facts, message) => {
  await expect(check(body("tcp://192.0.2.1:22"), facts)).rejects.toThrow(message);
});
