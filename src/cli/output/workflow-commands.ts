/** Keeps untrusted text in the logs of GitHub Actions from being read as workflow commands. */

/**
 * A text in which the marks of commands are escaped as in JSON, so that printed JSON keeps its values: `::` at the beginning
 * of a line, and `##[` anywhere. Formats with other escapes have their own, such as XML.
 */
export function escapeWorkflowCommands(text: string): string {
  return replaceCommandMarks(text, { colon: "\\u003a", hash: "\\u0023" });
}

/** The first character of each mark of a command, replaced. */
export function replaceCommandMarks(
  text: string,
  { colon, hash }: Readonly<Record<"colon" | "hash", string>>,
): string {
  if (!text.includes("::") && !text.includes("##[")) return text;
  return text.replaceAll(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, `$1${colon}`).replaceAll("##[", `#${hash}[`);
}
