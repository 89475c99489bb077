import { checkFacts, compileFacts, type Facts } from "edgeproof/proxy";
import { expect, test } from "vitest";
import { world } from "../../../src/engine/proxy/checks/samples.ts";
import { InvalidInputError } from "../../../src/errors.ts";

test("the example of checkFacts", () => {
  expect(checkFacts({ prefixes: ["198.51.100.0"] })[0]?.pointer).toBe("/prefixes/0");
});

test("complete facts and empty facts are valid", () => {
  expect(checkFacts(world)).toEqual([]);
  expect(checkFacts({})).toEqual([]);
  expect(checkFacts({ zoneOf: () => undefined, originAccess: () => undefined })).toEqual([]);
  expect(compileFacts().plan).toBe("add-on");
});

test.each([
  [null, ""],
  [[], ""],
  [{ plan: "free" }, "/plan"],
  [{ plam: "add-on" }, "/plam"],
  [JSON.parse('{"__proto__":{"plan":"add-on"}}'), "/__proto__"],
  [{ features: { ftp: "yes" } }, "/features/ftp"],
  [{ features: { FTP: true } }, "/features/FTP"],
  [{ prefixes: "198.51.100.0/24" }, "/prefixes"],
  [{ prefixes: ["198.51.100.1/24"] }, "/prefixes/0"],
  [{ protocols: { allowed: ["tcp/22", "tcp"] } }, "/protocols/allowed/1"],
  [{ apps: [{ id: "a" }] }, "/apps/0/protocol"],
  [{ zones: [{ id: "z", name: 1 }] }, "/zones/0/name"],
  [{ hostnames: [{ name: "a..b", zone: "z" }] }, "/hostnames/0/name"],
  [{ edge_ips: [{ ip: "1.2.3", zone: "z" }] }, "/edge_ips/0/ip"],
  [{ virtual_networks: [{ id: "x", routes: [] }] }, "/virtual_networks/0/id"],
  [{ ipv4: { quota: -1, used: 0 } }, "/ipv4/quota"],
  [{ ipv4: { quota: 1 } }, "/ipv4/used"],
  [{ zoneOf: "z" }, "/zoneOf"],
])("%j has a problem at %j", (facts, at) => {
  const problems = checkFacts(facts);
  expect(problems.map((problem) => problem.pointer)).toEqual([at]);
  expect(problems[0]?.message).toMatch(/\.$/);
  expect(() => compileFacts(facts as Facts)).toThrow(InvalidInputError);
});

test("members that are undefined are absent", () => {
  expect(checkFacts({ plan: undefined, features: { ftp: undefined } })).toEqual([]);
});
