/** Seeds the store with a zone's token validation from a world file, after the same checks as in the endpoints. */

import type { Operation } from "../../engine/tokens/model.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import { ApiError, type Problem, pointer } from "../../errors.ts";
import type { TokenValidationWorld } from "../../schemas/tokens.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { genericCodes, prefixPointers, rejectAny, type ServiceContext } from "../context.ts";
import { type ConfigFields, createConfig, readCreate as readConfig } from "../tokens/configs.ts";
import { bumpRevision } from "../tokens/revision.ts";
import { createRules, type NewRule, readCreate as readRule } from "../tokens/rules.ts";
import type { WorldPart } from "./part.ts";

interface TokenSeed {
  readonly operations: readonly Operation[] | undefined;
  readonly configs: readonly { readonly id: string; readonly fields: ConfigFields }[];
  readonly rules: readonly NewRule[];
}

/** Token validation of the world's zones. */
export const tokensPart: WorldPart = ({ zones = [] }, context) => {
  const seeds = new Map<string, TokenSeed>();
  const problems: Problem[] = [];
  for (const [i, { id, token_validation: input }] of zones.entries()) {
    if (!input) continue;
    try {
      seeds.set(id, prepareTokens(context, input, pointer("zones", i, "token_validation")));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(...error.problems);
    }
  }
  const seedZone = async (tx: WriteTransaction, zone: string) => {
    const seed = seeds.get(zone);
    if (seed) await seedTokens(context, tx, zone, seed);
  };
  return { problems, seedZone };
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
  rejectAny([...countProblems(context, input, at), ...prefixPointers(at, checkZone(zone))]);
  return { operations, configs, rules };
}

/** Problems of lists that are longer than a zone can have. */
function countProblems(
  { settings, limits }: ServiceContext,
  { configs = [], rules = [] }: TokenValidationWorld,
  at: string,
): Problem[] {
  const counts = [
    { name: "configs", count: configs.length, max: settings.configsPerZone },
    { name: "rules", count: rules.length, max: limits.rulesPerZone },
  ];
  return counts.flatMap(({ name, count, max }) => {
    if (count <= max) return [];
    const message = `\`${name}\` must have at most ${max} elements; it has ${count}.`;
    return [{ code: genericCodes.tokens.invalid, pointer: `${at}/${name}`, message }];
  });
}

async function seedTokens(
  context: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  { operations, configs, rules }: TokenSeed,
): Promise<void> {
  for (const { id, fields } of configs) await createConfig(context, tx, zone, id, fields);
  await createRules(context, tx, zone, rules);
  if (operations) await putOperations(tx, zone, operations);
}

/** Replaces the zone's list of operations. An empty list means that no request is an operation. */
async function putOperations(
  tx: WriteTransaction,
  zone: string,
  operations: readonly Operation[],
): Promise<void> {
  await tx.deleteWhere("operations", zone, []);
  for (const [i, operation] of operations.entries()) {
    await tx.insert("operations", { scope: zone, id: operation.operation_id, sequence: i + 1, ...operation });
  }
  await bumpRevision(tx, zone, { has_operations: true });
}
