/** A world from files in JSON and YAML, and recorded requests, as JSON. */
import { prepareRegularExpressions } from "edgeproof/tokens";
import { requestsFrom, worldFrom } from "edgeproof/world";
import type { ScenarioInput } from "../scenario-input.ts";

export async function run({ plan, openapi, traffic }: ScenarioInput): Promise<unknown> {
  await prepareRegularExpressions();
  const files = [
    { name: "plan.json", text: plan },
    { name: "shop.yaml", text: openapi },
  ];
  return { imported: worldFrom(files), recorded: requestsFrom(traffic) };
}
