/** The text of a new configuration file. */
import type { PlannedWorld } from "./plan-worlds.ts";

/** The contents of the file. */
export interface NewConfig {
  readonly worlds: readonly PlannedWorld[];
  readonly suites: readonly string[];
  readonly openapi: string | undefined;
  readonly traffic: readonly string[];
}

/** YAML with the address of its schema, for editors. */
export function printConfig({ worlds, suites, openapi, traffic }: NewConfig): string {
  const commands = [
    ...(openapi === undefined ? [] : ["  check:", `    openapi: ${scalar(openapi)}`]),
    ...(traffic.length === 0 ? [] : ["  replay:", `    arguments: ${listOf(traffic)}`]),
  ];
  return [
    "# yaml-language-server: $schema=./node_modules/edgeproof/schemas/config.schema.json",
    "worlds:",
    ...worlds.map(({ name, files }) => `  ${scalar(name)}: ${listOf(files)}`),
    ...(suites.length === 0 ? [] : [`suites: ${listOf(suites)}`]),
    ...(commands.length === 0 ? [] : ["commands:", ...commands]),
    "",
  ].join("\n");
}

function listOf(paths: readonly string[]): string {
  const [only, ...more] = paths;
  return only !== undefined && more.length === 0 ? scalar(only) : `[${paths.map(scalar).join(", ")}]`;
}

/** A string in YAML: plain when it cannot be read as another value, else as in JSON. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z./][\w./-]*$/.test(text) && !/^(?:true|false|null|\.inf|\.nan)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
