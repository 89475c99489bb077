/** `edgeproof world pull`: reads the configuration of a zone from the interface, as a world file. */

import { customPhase } from "../../../engine/tokens/rulesets/model.ts";
import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import type { World } from "../../../service/world/schema.ts";
import { type Io, UsageError } from "../../command.ts";
import { tokenVariable, type worldPull } from "../../declarations/world.ts";
import type { InvocationOf } from "../../declare.ts";
import { createApiClient, stopped } from "../../network/api-client.ts";
import { type PulledZone, pullZone } from "../../network/pull-zone.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printFaults } from "../../output/places.ts";
import { writeMadeWorld } from "../../output/results/imported-world.ts";

export async function run({ options, io }: InvocationOf<typeof worldPull>): Promise<number> {
  const { zone, withSecrets } = options;
  const client = createApiClient({
    baseUrl: options.baseUrl,
    token: readToken(io),
    signal: io.signal,
    maxWaitMs: options.maxWait * 1_000,
    onWait: (line) => io.stderr.write(`${escapeLines(line)}\n`),
  });
  io.handleSignals?.();
  const pulled = await pullZone(client, zone, withSecrets);
  if (io.signal.aborted) throw stopped();
  const { world, report } = importPulled(pulled, withSecrets);
  const made = {
    command: "pull",
    world: withUnreadRules(withOperations(world, pulled), pulled),
    report: {
      ...report,
      dropped: [...report.dropped, ...pulled.dropped],
      undecided: [...report.undecided, ...pulled.undecided],
    },
    more: { zone: pulled.zone },
  };
  return writeMadeWorld(made, options, io);
}

function readToken({ env = {} }: Io): string {
  const token = env[tokenVariable]?.trim() ?? "";
  if (token !== "") return token;
  throw new UsageError(`the environment variable \`${tokenVariable}\` must hold an API token; it is not set`);
}

function importPulled({ documents }: PulledZone, withSecrets: boolean): ImportedWorld {
  const files = documents.map(({ path, envelope }) => ({
    name: path,
    text: JSON.stringify(envelope, null, 2),
  }));
  const read = readWorld(files, { withSecrets });
  if (read.ok) return read.value;
  throw new UsageError(`the responses cannot be read:\n${printFaults(read.problems)}`);
}

/** An empty list of operations is not the same as no list: with it no request is an operation. */
function withOperations(world: World, { zone, hasNoOperations }: PulledZone): World {
  if (!hasNoOperations) return world;
  const zones = (world.zones ?? []).map((other) =>
    other.id === zone.id
      ? { ...other, token_validation: { operations: [], ...other.token_validation } }
      : other,
  );
  return { ...world, zones };
}

/** Custom rules that could not be read are one rule with an unknown result, so that no verdict is decided without them. */
function withUnreadRules(world: World, { rulesets: { unread } }: PulledZone): World {
  const add = <T extends { readonly id: string }>(list: readonly T[] | undefined, owners: string) =>
    list?.map((item) => {
      const found = unread.find((part) => part.isEntry && part.owners === owners && part.id === item.id);
      if (!found) return item;
      const undecided = `the custom rules could not be read: ${found.reason}`;
      const rules = [{ action: "block", undecided }];
      return { ...item, rulesets: [{ name: "not read", kind: found.kind, phase: customPhase, rules }] };
    });
  const [accounts, zones] = [add(world.accounts, "accounts"), add(world.zones, "zones")];
  return { ...world, ...(accounts && { accounts }), ...(zones && { zones }) };
}
