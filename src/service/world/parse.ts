/** Parses a value as a world: the schema, after what only responses have was removed. */
import { failure, type Result, success } from "../../core/result.ts";
import { counted } from "../../errors.ts";
import { memberNames } from "../schema-members.ts";
import { schemaProblems } from "../schema-problems.ts";
import { withIdFixes } from "./id-fixes.ts";
import type { ParsedWorld } from "./part.ts";
import { withoutResponseMembers } from "./response-members.ts";
import { worldSchema } from "./schema.ts";

/** A world that matches the schema. */
export interface WorldReading {
  readonly world: ParsedWorld;
  /** Ignored and missing parts, one line each, without a full stop. */
  readonly notes: readonly string[];
}

const membersAt = (path: readonly PropertyKey[]) => memberNames(worldSchema, path);

/** Parses a world. Expressions, keys, pictures and applications are validated later. */
export function parseWorld(input: unknown): Result<WorldReading> {
  const { world, notes } = withoutResponseMembers(input);
  const parsed = worldSchema.safeParse(world, { reportInput: true });
  if (parsed.success)
    return success({ world: parsed.data, notes: [...notes, ...undecidedNotes(parsed.data)] });
  const problems = parsed.error.issues.flatMap((issue) =>
    schemaProblems(issue, { area: "shared", at: "", root: "the world", membersAt }),
  );
  const [first, ...rest] = withIdFixes(world, problems);
  if (!first) throw new TypeError("A world that was rejected must have problems");
  return failure(first, ...rest);
}

/** Without these parts, answers can be wrong. */
function undecidedNotes({ undecided = [] }: ParsedWorld): readonly string[] {
  if (undecided.length === 0) return [];
  return [`its input was incomplete: ${counted(undecided.length, "part")} in \`undecided\``];
}
