/** The problems of an imported world, each with its pointer. */
import type { World } from "edgeproof/world";
import { checkWorld } from "../../src/service/world/check-every-area.ts";

export function problemsOf(world: World): readonly string[] {
  const checked = checkWorld(world);
  const problems = checked.ok ? checked.value.problems : checked.problems;
  return problems.map(({ pointer = "", message }) => `${pointer}: ${message}`);
}
