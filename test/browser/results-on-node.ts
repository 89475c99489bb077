/** The results of the scenarios on Node.js, from the sources: those of every other platform are the same. */
import { expect } from "vitest";
import type { ScenarioInput } from "./scenario-input.ts";
import { run as runNames } from "./scenarios/names.ts";
import { run as runProxy } from "./scenarios/proxy.ts";
import { run as runTokens } from "./scenarios/tokens.ts";
import { run as runWorld } from "./scenarios/world.ts";

const scenarios: Readonly<Record<string, (input: ScenarioInput) => unknown>> = {
  tokens: runTokens,
  proxy: runProxy,
  world: runWorld,
  names: runNames,
};

/** The names of the files in `scenarios/`. */
export const scenarioNames = Object.keys(scenarios);

/** Parts of the results on Node.js, so that equal results are not equally empty. */
const expected: Readonly<Record<string, readonly string[]>> = {
  tokens: [
    '"block"',
    '"allow"',
    "bad_signature",
    "expired",
    '"kty":"RSA"',
    '"crv":"P-384"',
    "unsupported_type",
    "regular expression",
    '"custom":["allow","block","block","allow"]',
  ],
  proxy: ['"violations":[]', '"code":'],
  world: ['"operations":', '"requests":[{'],
  names: ['"münchen', '"query_id":1'],
};

/** The result of a scenario, as JSON that was read. */
export async function resultOnNode(name: string, input: ScenarioInput): Promise<unknown> {
  const result = JSON.stringify(await scenarios[name]?.(input));
  for (const part of expected[name] ?? []) expect(result).toContain(part);
  return JSON.parse(result);
}

/** The source of a module whose function `run` gives the results of scenarios as a list. */
export function scenarioModule(names: readonly string[]): string {
  const imports = names.map((name) => `import { run as ${name} } from "./scenarios/${name}.ts";`);
  const all = `export const run = async (input) => [${names.map((name) => `await ${name}(input)`).join()}];`;
  return [...imports, all].join("\n");
}
