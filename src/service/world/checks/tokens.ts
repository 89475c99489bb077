/** Checks the token validation of a world's zones as the endpoints do. */
import type { Operation } from "../../../engine/tokens/model.ts";
import type { ZonePlan } from "../../../engine/tokens/rulesets/input/zone-facts.ts";
import { checkZone } from "../../../engine/tokens/zone/zone.ts";
import { type CodedDiagnostic, pointer, problem } from "../../../errors.ts";
import type { TokenValidationWorld } from "../../../schemas/tokens.ts";
import { type CheckContext, genericCodes, prefixPointers, rejectAny } from "../../context.ts";
import { type ConfigFields, readCreate as readConfig } from "../../tokens/configs.ts";
import { type NewRule, readCreate as readRule } from "../../tokens/read-rule.ts";
import { collectProblems, type WorldCheck } from "../part.ts";

/** The token validation of a zone, ready to be stored. */
export interface TokenSeed {
  readonly input: TokenValidationWorld;
  readonly operations: readonly Operation[] | undefined;
  readonly configs: readonly { readonly id: string; readonly fields: ConfigFields }[];
  readonly rules: readonly NewRule[];
}

/** Token validation, by zone. */
export const checkTokens: WorldCheck<ReadonlyMap<string, TokenSeed>> = ({ zones = [] }, context) => {
  const problems: CodedDiagnostic[] = [];
  const value = new Map<string, TokenSeed>();
  for (const [i, { id, plan, token_validation: input }] of zones.entries()) {
    if (!input) continue;
    const at = pointer("zones", i, "token_validation");
    for (const seed of collectProblems(problems, () => readTokens(context, input, plan, at)))
      value.set(id, seed);
  }
  return { problems, value };
};

/** @throws {ApiError} with every problem; `at` is the prefix of all pointers */
function readTokens(
  context: CheckContext,
  input: TokenValidationWorld,
  plan: ZonePlan | undefined,
  at: string,
): TokenSeed {
  const configs = (input.configs ?? []).map(({ id, ...fields }, i) => {
    return { id: id.toLowerCase(), fields: readConfig(context, fields, [], `${at}/configs/${i}`) };
  });
  const rules = (input.rules ?? []).map(({ id, ...fields }, i) => {
    const rule = readRule(context, fields, [], `${at}/rules/${i}`);
    return id === undefined ? rule : { ...rule, id: id.toLowerCase() };
  });
  const { operations } = input;
  const { restrictions, sharedSecrets } = context.settings;
  const zone = {
    configs: configs.map(({ id, fields }) => ({ id, ...fields })),
    rules: rules.map(({ fields, ...rule }, i) => ({
      id: "id" in rule ? rule.id : `rule ${i + 1}`,
      ...fields,
    })),
    ...(operations && { operations }),
    ...(plan && { plan }),
  };
  rejectAny([
    ...countProblems(context, input, at),
    ...prefixPointers(at, checkZone(zone, { restrictions, sharedSecrets })),
  ]);
  return { input, operations, configs, rules };
}

/** Problems of lists that are longer than a zone can have. */
function countProblems(
  { settings, limits }: CheckContext,
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
