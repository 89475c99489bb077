/** Zones and requests of token validation with exactly one fault. */
import type { Arbitrary } from "fast-check";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import type { FastCheck } from "./fast-check.ts";

/** A zone with one fault. */
export interface InvalidZone {
  /** The zone, to be passed to `checkZone`. */
  readonly zone: unknown;
  /** RFC 6901 pointer of the only problem that `checkZone` reports. */
  readonly pointer: string;
  /** The code of that problem. */
  readonly code: number;
}

/** A request with one fault. */
export interface InvalidRequest {
  /** The request, to be passed to `checkRequest`. */
  readonly request: unknown;
  /** RFC 6901 pointer of the only problem that `checkRequest` reports. */
  readonly pointer: string;
  /** The code of that problem. */
  readonly code: number;
}

/** The code of every problem here (`chosen`). */
const invalidInput = 10_400;

/** Zones that compile except for one fault. */
export function invalidZoneArbitrary(fc: FastCheck, zones: Arbitrary<ZoneInput>): Arbitrary<InvalidZone> {
  return fc
    .tuple(zones, fc.constantFrom(...zoneFaults), fc.nat())
    .map(([zone, addFault, pick]) => ({ ...addFault(zone, pick), code: invalidInput }));
}

/** Requests that can be evaluated except for one fault. */
export function invalidRequestArbitrary(
  fc: FastCheck,
  requests: Arbitrary<SimulatedRequest>,
): Arbitrary<InvalidRequest> {
  return fc.tuple(requests, fc.constantFrom(...requestFaults)).map(([request, [changed, pointer]]) => {
    return { request: { ...request, ...changed }, pointer, code: invalidInput };
  });
}

/** Another value for a member of a request, and the pointer of the problem. */
const requestFaults: readonly (readonly [changed: object, pointer: string])[] = [
  [{ method: "" }, "/method"],
  [{ method: "GET /" }, "/method"],
  [{ method: 1 }, "/method"],
  [{ url: "/users" }, "/url"],
  [{ url: "ftp://api.example.com/" }, "/url"],
  [{ url: undefined }, "/url"],
  [{ headers: "authorization: x" }, "/headers"],
  [{ headers: { authorization: 1 } }, "/headers/authorization"],
  [{ headers: [["authorization"]] }, "/headers/0"],
];

/** Adds a fault to a zone; `pick` selects the list entry. */
type ZoneFault = (zone: ZoneInput, pick: number) => Omit<InvalidZone, "code">;

/** Replaces a member of one entry of a list; `at` is the pointer of the problem within the entry. */
function memberFault(
  list: "configs" | "rules" | "operations",
  member: string,
  value: unknown,
  at = member,
): ZoneFault {
  return (zone, pick) => {
    const entries = zone[list] ?? [];
    const index = pick % entries.length;
    const changed = entries.map((entry, i) => (i === index ? { ...entry, [member]: value } : entry));
    return { zone: { ...zone, [list]: changed }, pointer: `/${list}/${index}/${at}` };
  };
}

/** Repeats the last rule, so that its id is a duplicate. */
const duplicateRule: ZoneFault = (zone) => ({
  zone: { ...zone, rules: [...zone.rules, zone.rules.at(-1)] },
  pointer: `/rules/${zone.rules.length}/id`,
});

/** All faults of zones. */
const zoneFaults: readonly ZoneFault[] = [
  memberFault("configs", "token_sources", "http.request.headers"),
  memberFault("configs", "token_sources", ["http.request.body"], "token_sources/0"),
  memberFault("configs", "credentials", { keys: [] }, "credentials/keys"),
  memberFault("configs", "credentials", {}, "credentials/keys"),
  memberFault("rules", "id", ""),
  memberFault("rules", "action", "deny"),
  memberFault("rules", "enabled", "yes"),
  memberFault("rules", "expression", "is_jwt_valid("),
  memberFault("rules", "expression", 'is_jwt_valid("no-such-configuration")'),
  memberFault("rules", "expression", null),
  memberFault("rules", "selector", null),
  memberFault("rules", "selector", { include: "api.example.com" }, "selector/include"),
  memberFault("rules", "selector", { include: [{ host: [7] }] }, "selector/include/0/host/0"),
  memberFault("operations", "method", 7),
  memberFault("operations", "host", 1),
  memberFault("operations", "endpoint", "users"),
  memberFault("operations", "endpoint", "/a{id}"),
  duplicateRule,
  (zone) => ({ zone: { ...zone, operations: {} }, pointer: "/operations" }),
];
