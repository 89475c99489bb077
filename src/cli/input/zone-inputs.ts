/** The token validation of the zones of a world file, for commands that analyze rules. */

import type { JsonSource } from "../../core/json-source.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { pointer } from "../../errors.ts";
import { schemaProblems } from "../../service/schema-problems.ts";
import { worldSchema } from "../../service/world/schema.ts";
import { type Io, UsageError } from "../command.ts";
import { readJsonSource } from "./files.ts";

/** A zone with token validation. */
export interface WorldZone {
  readonly id: string;
  /** Domain of the zone; absent when the world does not have it. */
  readonly name?: string;
  /** RFC 6901 pointer of its token validation in the world file. */
  readonly at: string;
  /** Valid except for its expressions and keys, which the engine validates. */
  readonly input: ZoneInput;
}

/** A world file with its zones. */
export interface WorldZones {
  readonly file: string;
  readonly source: JsonSource;
  readonly zones: readonly WorldZone[];
}

/** @throws {UsageError} when the file is not JSON or not a valid world */
export async function readWorldZones(file: string, io: Io): Promise<WorldZones> {
  const source = await readJsonSource(file, io);
  const parsed = worldSchema.safeParse(source.value, { reportInput: true });
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) =>
      schemaProblems(issue, { area: "shared", at: "", root: "the world" }),
    );
    const lines = problems.map((p) => `  ${p.pointer || "/"}: ${p.message}`);
    throw new UsageError(`${file} is not a valid world file:\n${lines.join("\n")}`);
  }
  const zones = (parsed.data.zones ?? []).flatMap(({ id, name, token_validation: validation }, i) => {
    if (validation === undefined) return [];
    const at = pointer("zones", i, "token_validation");
    return [{ id, ...(name !== undefined && { name }), at, input: zoneInput(validation) }];
  });
  return { file, source, zones };
}

type Validation = NonNullable<
  NonNullable<ReturnType<typeof worldSchema.parse>["zones"]>[number]["token_validation"]
>;

/** Ids in lower case, as the service stores them; a rule without an id gets its position as one. */
function zoneInput({ configs = [], rules = [], operations }: Validation): ZoneInput {
  const input = {
    configs: configs.map((config) => ({ ...config, id: config.id.toLowerCase() })),
    rules: rules.map((rule, i) => ({ ...rule, id: rule.id?.toLowerCase() ?? `rule ${i + 1}` })),
    ...(operations && { operations }),
  };
  return input as unknown as ZoneInput;
}

/**
 * Checks the expressions and keys of the zones, or of one zone.
 *
 * @param action what cannot be done with an invalid zone, such as "compared"
 * @throws {UsageError} for a zone with invalid expressions or keys
 */
export function assertValidZones({ file, source, zones }: WorldZones, action: string, only?: string): void {
  const lines = zones
    .filter(({ id }) => only === undefined || id === only)
    .flatMap(({ at, input }) =>
      checkZone(input).map(({ pointer: within = "", message }) => {
        const { line, column } = source.locate(at + within);
        return `  line ${line}, column ${column}, ${at}${within}: ${message}`;
      }),
    );
  if (lines.length > 0) throw new UsageError(`${file} cannot be ${action}:\n${lines.join("\n")}`);
}
