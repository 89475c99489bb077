/** Checks every area of a world, with all checks loaded at once. */
import type { Result } from "../../core/result.ts";
import type { CheckContext } from "../context.ts";
import { type CheckedWorld, checkWorldWith } from "./check-world.ts";
import { allChecks } from "./checks/all-checks.ts";

/** Checks a value as a world, as {@link checkWorldWith} does, with every check. */
export function checkWorld(input: unknown, context?: CheckContext): Result<CheckedWorld> {
  return checkWorldWith(allChecks, input, context) as Result<CheckedWorld>;
}
