/** Generates the manual page, `edgeproof(1)`, from the declarations of the commands. */
import type { Command } from "../src/cli/declare.ts";
import { optionRows, usageOf } from "../src/cli/help.ts";

/** The page in the language of man (roff). */
export function manualPage(commands: readonly Command[], version: string): string {
  return [
    `.TH EDGEPROOF 1 "" "edgeproof ${version}"`,
    ".SH NAME",
    "edgeproof \\- test edge configuration before production runs it",
    ".SH SYNOPSIS",
    ".B edgeproof",
    ".I command",
    "[options]",
    ".SH COMMANDS",
    ...commands.flatMap(section),
    ".SH EXIT STATUS",
    ...term("0", "Success."),
    ...term("1", "Negative result: blocked requests, violations, differences."),
    ...term("2", "Invalid usage or input."),
    "",
  ].join("\n");
}

function section(command: Command): readonly string[] {
  const { summary, about, options, examples } = command;
  return [
    `.SS ${escaped(usageOf(command))}`,
    ...[summary, ...about].flatMap((paragraph) => [".P", escaped(paragraph)]),
    ...optionRows(options).flatMap(([usage, help]) => term(usage, help)),
    ".P",
    "Examples:",
    ".EX",
    ...examples.map(escaped),
    ".EE",
  ];
}

function term(name: string, meaning: string): readonly string[] {
  return [".TP", `.B ${escaped(name)}`, escaped(meaning)];
}

/** Without requests of roff, which begin with a dot or an apostrophe, and with plain dashes. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/, "\\&$&");
}
