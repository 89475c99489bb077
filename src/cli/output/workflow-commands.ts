/** Keeps untrusted text in the logs of GitHub Actions from being read as workflow commands. */
import type { Io } from "../command.ts";

/**
 * The text, on GitHub Actions with the marks of commands escaped: `::` at the beginning of a line, and `##[` anywhere.
 * Elsewhere it is unchanged.
 */
export function escapeWorkflowCommands(text: string, { env }: Io): string {
  if (env?.["GITHUB_ACTIONS"] !== "true") return text;
  return text.replace(/^(\s*):(?=:)/gm, "$1\\u003a").replaceAll("##[", "#\\u0023[");
}
