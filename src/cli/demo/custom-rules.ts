/** Custom rules of the demo: a rule that needs the address of the client, and one that reads a claim. */
import { createEdge } from "../../edge.ts";
import type { World } from "../../service/world/schema.ts";
import { mintToken } from "../../testing/tokens/mint.ts";
import { type DemoKeys, demoWorld, mintDemoKeys, staffId } from "./api-world.ts";
import type { DemoTable } from "./demo-table.ts";
import {
  claimsUntil,
  type DemoRequest,
  demoRequests,
  evaluateSamples,
  lifeSeconds,
  sample,
  verdictHeader,
} from "./tokens.ts";

type Account = NonNullable<World["accounts"]>[number];

const adminPath = "/v1/admin/";
const officeAddress = "192.0.2.10";

const rulesets: NonNullable<NonNullable<World["zones"]>[number]["rulesets"]> = [
  {
    id: "shop-custom",
    name: "Shop",
    kind: "zone",
    phase: "http_request_firewall_custom",
    rules: [
      {
        id: "reports-from-office",
        description: "Reports: from the office only",
        action: "block",
        expression: `starts_with(http.request.uri.path, "${adminPath}") and not ip.src in $office`,
      },
      {
        id: "trainees",
        description: "Trainees place no orders",
        action: "block",
        expression: `http.request.method eq "POST" and lookup_json_string(http.request.jwt.claims["${staffId}"][0], "role") eq "trainee"`,
      },
    ],
  },
];

/** The world of the demo with custom rules, and the account with the list that they name. */
export function demoWorldWithCustomRules(keys: DemoKeys, account: Account): World {
  const { zones = [], ...world } = demoWorld(keys);
  return {
    ...world,
    zones: zones.map((zone) => ({ ...zone, rulesets })),
    accounts: [{ ...account, lists: [{ name: "office", kind: "ip", items: ["192.0.2.0/24"] }] }],
  };
}

/** The section of custom rules, which decide before token rules. */
export async function customRulesSection(): Promise<readonly DemoTable[]> {
  const keys = await mintDemoKeys();
  const edge = createEdge({ world: demoWorldWithCustomRules(keys, { id: "demo" }) });
  const [trainee, unknown] = await ownRequests(keys);
  const samples: DemoRequest[] = [
    trainee,
    { ...unknown, title: "reports, from the office", ip: officeAddress },
    { ...unknown, title: "reports, from elsewhere", ip: "203.0.113.9" },
    unknown,
  ];
  return [
    {
      area: "tokens",
      title: "Custom rules before token rules: one reads a claim, one the address of the client",
      header: verdictHeader,
      rows: await evaluateSamples(edge, samples, () => {}),
    },
  ];
}

/** The requests of the demo, from the office where the custom rules ask, and two more for these rules. */
export async function demoRequestsForCustomRules(keys: DemoKeys): Promise<readonly DemoRequest[]> {
  const known = (await demoRequests(keys)).map((request) =>
    new URL(request.url).pathname.startsWith(adminPath) ? { ...request, ip: officeAddress } : request,
  );
  return [...known, ...(await ownRequests(keys))];
}

/** A request for each custom rule. */
async function ownRequests(keys: DemoKeys): Promise<readonly [claim: DemoRequest, address: DemoRequest]> {
  const now = Math.floor(Date.now() / 1000);
  const claims = claimsUntil(now + lifeSeconds - 300);
  const trainee = await mintToken(keys.staff, { ...claims, sub: "ben", role: "trainee" });
  const staff = await mintToken(keys.staff, claims);
  return [
    sample("an order by a trainee", "POST", "/v1/orders", { authorization: `Bearer ${trainee}` }),
    sample("reports, from an address that is not known", "GET", `${adminPath}reports/1`, {
      authorization: `Bearer ${staff}`,
    }),
  ];
}
