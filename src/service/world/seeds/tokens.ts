/** Seeds the store with a zone's token validation from a world file, after the same checks as in the endpoints. */

import type { Operation } from "../../../engine/tokens/model.ts";
import { checkZone } from "../../../engine/tokens/zone/zone.ts";
import { ApiError, type CodedDiagnostic, pointer, problem } from "../../../errors.ts";
import type { TokenValidationWorld } from "../../../schemas/tokens.ts";
import type { WriteTransaction } from "../../../store/port.ts";
import type { OperationRecord, TokenConfigRecord, TokenRuleRecord } from "../../../store/records/tokens.ts";
import { genericCodes, prefixPointers, rejectAny, type ServiceContext } from "../../context.ts";
import { type ConfigFields, createConfig, readCreate as readConfig } from "../../tokens/configs.ts";
import { type NewRule, readCreate as readRule } from "../../tokens/read-rule.ts";
import { bumpRevision, readRevision } from "../../tokens/revision.ts";
import { createRules } from "../../tokens/rules.ts";
import type { SeededList, WorldPart } from "../part.ts";
import { isSame, nameOf, type Seed, type SeedLog } from "../report.ts";
import { seededFrom } from "./seeded.ts";

interface TokenSeed {
  readonly input: TokenValidationWorld;
  readonly operations: readonly Operation[] | undefined;
  readonly configs: readonly { readonly id: string; readonly fields: ConfigFields }[];
  readonly rules: readonly NewRule[];
}

/** Token validation of the world's zones. */
export const tokensPart: WorldPart = ({ zones = [] }, context) => {
  const seeds = new Map<string, TokenSeed>();
  const problems: CodedDiagnostic[] = [];
  for (const [i, { id, token_validation: input }] of zones.entries()) {
    if (!input) continue;
    try {
      seeds.set(id, prepareTokens(context, input, pointer("zones", i, "token_validation")));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(...error.problems);
    }
  }
  return {
    problems,
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
};

/** @throws {ApiError} with every problem; `at` is the prefix of all pointers */
function prepareTokens(context: ServiceContext, input: TokenValidationWorld, at: string): TokenSeed {
  const configs = (input.configs ?? []).map(({ id, ...fields }, i) => {
    return { id: id.toLowerCase(), fields: readConfig(context, fields, [], `${at}/configs/${i}`) };
  });
  const rules = (input.rules ?? []).map(({ id, ...fields }, i) => {
    const rule = readRule(context, fields, [], `${at}/rules/${i}`);
    return id === undefined ? rule : { ...rule, id: id.toLowerCase() };
  });
  const { operations } = input;
  const zone = {
    configs: configs.map(({ id, fields }) => ({ id, ...fields })),
    rules: rules.map(({ fields, ...rule }, i) => ({
      id: "id" in rule ? rule.id : `rule ${i + 1}`,
      ...fields,
    })),
    ...(operations && { operations }),
  };
  rejectAny([
    ...countProblems(context, input, at),
    ...prefixPointers(at, checkZone(zone, { restrictions: context.settings.restrictions })),
  ]);
  return { input, operations, configs, rules };
}

/** Problems of lists that are longer than a zone can have. */
function countProblems(
  { settings, limits }: ServiceContext,
  { configs = [], rules = [] }: TokenValidationWorld,
  at: string,
): CodedDiagnostic[] {
  const counts = [
    { name: "configs", count: configs.length, max: settings.configsPerZone },
    { name: "rules", count: rules.length, max: limits.rulesPerZone },
  ];
  return counts.flatMap(({ name, count, max }) => {
    if (count <= max) return [];
    const message = `\`${name}\` must have at most ${max} elements; it has ${count}.`;
    return [problem(genericCodes.tokens.invalid, message, `${at}/${name}`)];
  });
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
function storedRule({ scope, id, position, created_at, last_updated, ...fields }: TokenRuleRecord): Seed {
  return { id, value: fields };
}
