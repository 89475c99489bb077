/** Derives the inputs of the action from the declarations of the commands. */
import type { Command } from "../src/cli/declare.ts";

/** The text of `action.yml` with the commands and the formats that exist. */
export function withFormats(action: string, commands: readonly Command[]): string {
  const reporting = commands.filter(({ options }) => options["format"]?.choices?.includes("github"));
  const names = reporting.map(({ name }) => name);
  const formats = (reporting[0]?.options["format"]?.choices ?? []).filter((choice) => choice !== "github");
  return action
    .replace(/(\n {2}command:\n {4}description: ).*/, `$1"The command: ${listed(names)}."`)
    .replace(
      /(\n {2}format:\n {4}description: ).*/,
      `$1"Output format: github (annotations), ${listed(formats)}."`,
    );
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
