/** The commands of earlier versions that `check` replaces: the same options, limited to one area. */
import {
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  UsageError,
} from "../../command.ts";
import type { Area } from "./areas.ts";
import { check, runCheck } from "./check.ts";

function limited(input: CommandInput, area: Area, positionals = input.positionals): CommandInput {
  return { values: { ...input.values, only: [area] }, positionals };
}

/** `lint`: proxy applications. */
export const lint: CommandDefinition = {
  ...check,
  run: (input, io) => runCheck(limited(input, "proxy"), io),
};

/** `audit`: an OpenAPI document and the zone of `--world`. */
export const audit: CommandDefinition = {
  ...check,
  positionals: "",
  run: async (input, io) => {
    if (stringOption(input, "openapi") === undefined)
      throw new UsageError("--openapi is missing; it must name an OpenAPI document");
    if (stringOption(input, "world") === undefined)
      throw new UsageError("--world is missing; it must name a world file");
    return runCheck(limited(input, "openapi"), io);
  },
};

/** `keys check`: the keys of a configuration of `--world`. */
export async function runKeysCheck(input: CommandInput, more: readonly string[], io: Io): Promise<number> {
  if (stringOption(input, "world") === undefined || more.length > 0)
    throw new UsageError(
      "expected `edgeproof keys check --world <file>` with --issuer <url> or --jwks <file>",
    );
  return runCheck(limited(input, "keys", []), io);
}
