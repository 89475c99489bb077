/** The remarks of a validation for the caller: one for each warning and for each check that was not evaluated. */
import type { Diagnostic } from "../../core/diagnostic.ts";
import { checks } from "../../engine/proxy/checks/catalogue.ts";
import type { CheckLevel, NotEvaluated, Validation } from "../../engine/proxy/model.ts";
import { note } from "../../errors.ts";
import { atProvider } from "../context.ts";

const levels: ReadonlyMap<string, CheckLevel> = new Map(checks.map(({ id, level }) => [id, level]));

/** Only a warning has the code of its check; the other remarks are about values. */
export function notesOf({ warnings, notEvaluated }: Validation): Diagnostic[] {
  return [...warnings.map(warningNote), ...notEvaluated.map(notEvaluatedNote)];
}

function warningNote(warning: Diagnostic): Diagnostic {
  const level = levels.get(warning.rule);
  if (level === "warning") return warning;
  const { message, pointer } = warning;
  return note("valueNoted", level === "restriction" ? atProvider(message) : message, pointer);
}

function notEvaluatedNote({ check, code, needs }: NotEvaluated): Diagnostic {
  const facts = needs.map((name) => `\`${name}\``).join(", ");
  return note(
    "notEvaluated",
    `The check \`${check}\` (${code}) was not evaluated; it needs the missing facts ${facts}.`,
  );
}
