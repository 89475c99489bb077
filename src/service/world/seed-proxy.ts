/** Validates the proxy members of a world file, and seeds the store with them. */
import { problem, type Result } from "../../core/result.ts";
import { checkFacts } from "../../engine/proxy/facts/compile-facts.ts";
import { foldHostname, parseHostname } from "../../engine/proxy/grammar/hostname.ts";
import { parseIp, printIp } from "../../engine/proxy/grammar/ip.ts";
import type { ParseFault } from "../../engine/proxy/grammar/parse-fault.ts";
import { memberPath } from "../../engine/proxy/read/describe-input.ts";
import { type Problem, pointer, quote } from "../../errors.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { registryScope } from "../../store/records/proxy.ts";
import { genericCodes, prefixPointers } from "../context.ts";
import type { ParsedWorld, WorldPart } from "./part.ts";

/** Facts about accounts and zones, and the edge addresses of orphaned applications. */
export const proxyPart: WorldPart = (world) => ({
  problems: problemsOf(world),
  seedWorld: (tx) => seedOrphans(tx, world.orphaned_edge_ips ?? []),
  seedAccount: async (tx, account) => {
    const facts = world.accounts?.find((a) => a.id === account)?.proxy;
    if (facts) await tx.insert("proxy_facts", { scope: account, id: "account", facts, ipv4_quota: null });
  },
  seedZone: async (tx, zone) => {
    const input = world.zones?.find((z) => z.id === zone)?.proxy;
    if (input) await seedZone(tx, zone, input);
  },
});

function problemsOf({ accounts = [], zones = [], orphaned_edge_ips = [] }: ParsedWorld): readonly Problem[] {
  return [
    ...accounts.flatMap(({ proxy = {} }, i) =>
      prefixPointers(pointer("accounts", i, "proxy"), checkFacts(proxy)),
    ),
    ...zones.flatMap(({ proxy }, i) =>
      parseProblems(proxy?.hostnames ?? [], pointer("zones", i, "proxy", "hostnames"), parseHostname),
    ),
    ...parseProblems(orphaned_edge_ips, pointer("orphaned_edge_ips"), parseIp),
  ];
}

/** One problem for each malformed string of a list. */
function parseProblems(
  list: readonly string[],
  at: string,
  parse: (text: string) => Result<unknown, ParseFault>,
): Problem[] {
  return list.flatMap((text, i) => {
    const result = parse(text);
    if (result.ok) return [];
    const [{ offset, message }] = result.problems;
    const sentence = `${memberPath(at + pointer(i))} is ${quote(text)}: at offset ${offset} ${message}.`;
    return [problem(genericCodes.shared.invalid, sentence, at + pointer(i))];
  });
}

type ZoneProxy = NonNullable<NonNullable<ParsedWorld["zones"]>[number]["proxy"]>;

/** Represents an application of the world file in the list of a name's applications, so that the name stays in use. */
const worldApp = { id: "", ipv4: false };

async function seedZone(tx: WriteTransaction, zone: string, input: ZoneProxy): Promise<void> {
  const { ipv4_quota = null, hostnames = [] } = input;
  await tx.insert("proxy_facts", { scope: zone, id: "zone", facts: {}, ipv4_quota });
  await tx.insertMissing(
    "proxy_hostnames",
    hostnames.map((name) => {
      return { scope: registryScope, id: foldHostname(name), zone, ipv4: false, apps: [worldApp] };
    }),
  );
}

/** Zone id of orphaned addresses, whose zone was deleted. */
const noZone = "";

async function seedOrphans(tx: WriteTransaction, ips: readonly string[]): Promise<void> {
  const addresses = ips.map(parseIp).flatMap((ip) => (ip.ok ? [printIp(ip.value)] : []));
  await tx.insertMissing(
    "proxy_edge_ips",
    addresses.map((id) => ({ scope: registryScope, id, zone: noZone, deleted: true, apps: [] })),
  );
}
