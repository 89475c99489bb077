/** The options that state the values which an undecided verdict needs. */
import { runCommand } from "../../../core/text/run-command.ts";

/** `--given` for each of the fields that it can state; empty when there is none. */
export function givenOptions(needs: readonly string[]): string {
  return needs
    .filter((name) => /^[a-z][\w.]*$/.test(name) && !name.startsWith("http.request.body."))
    .map((name) => `--given ${name}=...`)
    .join(" ");
}

/** The command that states the fields, as a member of a reason; without one no field can be stated. */
export function runGiven(command: "eval" | "replay", needs: readonly string[]): { readonly run?: string } {
  const options = givenOptions(needs);
  return options === "" ? {} : { run: `${runCommand} ${command} ... ${options}` };
}
