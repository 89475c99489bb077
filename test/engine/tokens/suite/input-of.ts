/** The input of a zone that was read, such as that of a mutant. */

import type { ReadZone, ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";

export function inputOf({ configs, rules, operations }: ReadZone): ZoneInput {
  return {
    configs: configs.map(({ id, sources, keys }) => ({
      id,
      token_sources: sources.map(({ text }) => text),
      credentials: { keys },
    })),
    rules: rules.map(({ rule }) => rule),
    ...(operations && { operations: operations.map(({ operation }) => operation) }),
  };
}
