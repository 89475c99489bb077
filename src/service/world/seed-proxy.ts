/** Puts what a world file says of proxy applications into the store. */
import { checkFacts } from "../../engine/proxy/facts/compile-facts.ts";
import { foldHostname, parseHostname } from "../../engine/proxy/grammar/hostname.ts";
import { parseIp, printIp } from "../../engine/proxy/grammar/ip.ts";
import type { Fault, Parsed } from "../../engine/proxy/grammar/parsed.ts";
import { type Problem, pointer, quote } from "../../errors.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { registryScope } from "../../store/records/proxy.ts";
import { genericCodes, prefixPointers } from "../context.ts";
import type { ParsedWorld, WorldPart } from "./part.ts";

/** Proxy applications of the world's accounts and zones, and addresses that orphans hold. */
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
      texts(proxy?.hostnames ?? [], pointer("zones", i, "proxy", "hostnames"), parseHostname),
    ),
    ...texts(orphaned_edge_ips, pointer("orphaned_edge_ips"), parseIp),
  ];
}

/** A problem for each text that a parser refuses. */
function texts(
  list: readonly string[],
  at: string,
  parse: (text: string) => Parsed<unknown, Fault>,
): Problem[] {
  return list.flatMap((text, i) => {
    const parsed = parse(text);
    if (parsed.ok) return [];
    const message = `${quote(text)} is wrong at character ${parsed.fault.at + 1}: ${parsed.fault.message}.`;
    return [{ code: genericCodes.shared.invalid, pointer: at + pointer(i), message }];
  });
}

type ZoneProxy = NonNullable<NonNullable<ParsedWorld["zones"]>[number]["proxy"]>;

/** Stands among a name's applications for one that only the world knows, so that the name stays held when the others go. */
const worldsOwn = { id: "", ipv4: false };

async function seedZone(tx: WriteTransaction, zone: string, input: ZoneProxy): Promise<void> {
  const { ipv4_quota = null, hostnames = [] } = input;
  await tx.insert("proxy_facts", { scope: zone, id: "zone", facts: {}, ipv4_quota });
  await tx.insertMissing(
    "proxy_hostnames",
    hostnames.map((name) => {
      return { scope: registryScope, id: foldHostname(name), zone, ipv4: false, apps: [worldsOwn] };
    }),
  );
}

/** The zone of an orphan is gone: no zone holds the address. */
const nobody = "";

async function seedOrphans(tx: WriteTransaction, ips: readonly string[]): Promise<void> {
  const held = ips.map(parseIp).flatMap((ip) => (ip.ok ? [printIp(ip.value)] : []));
  await tx.insertMissing(
    "proxy_edge_ips",
    held.map((id) => ({ scope: registryScope, id, zone: nobody, deleted: true, apps: [] })),
  );
}
