/** The texts of `--help`. */
import type { Command } from "./command.ts";

const column = 30;

export function overview(commands: readonly Command[]): string {
  const rows = commands.map((c) => `  ${c.name.padEnd(12)}${c.summary}`);
  return [
    "edgeproof: run edge configuration before it runs you.",
    "",
    "Usage: edgeproof <command> [options]",
    "",
    ...rows,
    "",
    "`edgeproof <command> --help` shows a command's options and examples.",
    "Exit codes: 0 fine, 1 the answer is no (blocked, violations), 2 the input cannot be used.",
    "",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, { help, value }]) => {
    const form = `  --${name}${value === undefined ? "" : ` <${value}>`}`;
    return form.length < column ? `${form.padEnd(column)}${help}` : `${form}\n${" ".repeat(column)}${help}`;
  });
  return [
    `edgeproof ${command.name}: ${command.summary}`,
    "",
    `Usage: edgeproof ${[command.name, command.positionals, "[options]"].filter(Boolean).join(" ")}`,
    "",
    ...options,
    "",
    "Examples:",
    ...command.examples.map((line) => `  ${line}`),
    "",
  ].join("\n");
}
