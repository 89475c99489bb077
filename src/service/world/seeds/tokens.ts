/** Seeds the store with the token validation of a world's zones. */

import type { Operation } from "../../../engine/tokens/model.ts";

import type { WriteTransaction } from "../../../store/port.ts";
import type { OperationRecord, TokenConfigRecord, TokenRuleRecord } from "../../../store/records/tokens.ts";
import type { ServiceContext } from "../../context.ts";
import { createConfig } from "../../tokens/configs.ts";
import type { NewRule } from "../../tokens/read-rule.ts";
import { bumpRevision, readRevision } from "../../tokens/revision.ts";
import { createRules } from "../../tokens/rules.ts";
import type { TokenSeed } from "../checks/tokens.ts";
import type { ParsedWorld, SeededList, SeedPart } from "../part.ts";
import { isSame, nameOf, type Seed, type SeedLog } from "../report.ts";
import { seededFrom } from "./seeded.ts";

/** Token validation of the world's zones. */
export function tokensPart(
  { zones = [] }: ParsedWorld,
  context: ServiceContext,
  seeds: ReadonlyMap<string, TokenSeed>,
): SeedPart {
  return {
    follow: async (tx, report) => {
      for (const { id } of zones) await followOperations(tx, id, seeds.get(id)?.operations, report);
    },
    seeded: seededFrom({
      owners: "zones",
      seeds,
      count: async (tx, zone) =>
        (await tx.count("token_configs", zone)) + (await tx.count("token_rules", zone)),
      create: (tx, zone, seed) => seedTokens(context, tx, zone, seed),
      lists: listsOf,
    }),
  };
}

async function seedTokens(
  context: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  { configs, rules }: TokenSeed,
): Promise<void> {
  for (const { id, fields } of configs) await createConfig(context, tx, zone, id, fields);
  await createRules(context, tx, zone, rules);
}

/** Makes the zone's list of operations that of the world. An empty list means that no request is an operation. */
async function followOperations(
  tx: WriteTransaction,
  zone: string,
  operations: readonly Operation[] | undefined,
  report: SeedLog,
): Promise<void> {
  const { has_operations } = await readRevision(tx, zone);
  const order = [{ field: "sequence", direction: "asc" }] as const;
  const before = has_operations ? await tx.find("operations", zone, { order }) : undefined;
  const after = operations?.map((operation, i): OperationRecord => {
    return { scope: zone, id: operation.operation_id, sequence: i + 1, ...operation };
  });
  if (isSame(before, after)) return;
  await tx.deleteWhere("operations", zone, []);
  for (const operation of after ?? []) await tx.insert("operations", operation);
  await bumpRevision(tx, zone, { has_operations: after !== undefined });
  if (report.isNew("zones", zone)) return;
  const count = (list: readonly unknown[] | undefined) => (list ? String(list.length) : "no list");
  report.note(
    `changed the operations of ${nameOf("zones", zone)} (${count(before)} before, ${count(after)} now)`,
  );
}

/** The configurations and rules of a zone, as far as the world has a list of them. */
function listsOf(zone: string, { input, configs, rules }: TokenSeed): readonly SeededList[] {
  return [
    {
      things: "token configurations",
      world: input.configs && configs.map(configSeed),
      stored: async (tx) => (await tx.find("token_configs", zone)).map(storedConfig),
    },
    {
      things: "token rules",
      world: input.rules && rules.map(ruleSeed),
      stored: async (tx) => (await tx.find("token_rules", zone)).map(storedRule),
    },
  ];
}

const configSeed = ({ id, fields }: TokenSeed["configs"][number]): Seed => ({ id, value: fields });

function storedConfig({ scope, id, sequence, created_at, last_updated, ...fields }: TokenConfigRecord): Seed {
  return { id, value: fields };
}

const ruleSeed = ({ id, fields }: NewRule): Seed => ({ id, value: fields });

/** Positions are not compared: rules without a position in the world are moved by requests. */
function storedRule(record: TokenRuleRecord): Seed {
  const { scope, id, position, created_at, last_updated, modified_by, ...fields } = record;
  return { id, value: fields };
}
