/** The answer of a tool: the printed lines, cut to a size that an agent can read, and how to get the rest. */

/** Maximum length of an answer in characters, some 4,000 tokens. `chosen` */
export const maxCharacters = 16_000;
/** Maximum length of a line: longer ones are cut. `chosen` */
const maxLine = 2_000;

/** Lines of a text from a number on, from 1, with a last line about those that are left. */
export function pageOf(text: string, from: number): string {
  const lines = text.replace(/\n$/, "").split("\n");
  if (from > lines.length) return `The answer has ${lines.length} lines; there is none from ${from} on.`;
  const page: string[] = [];
  let length = 0;
  for (const line of lines.slice(from - 1)) {
    const cut =
      line.length > maxLine ? `${line.slice(0, maxLine)} (${line.length - maxLine} more characters)` : line;
    length += cut.length + 1;
    if (length > maxCharacters && page.length > 0) break;
    page.push(cut);
  }
  const last = from + page.length - 1;
  const isWhole = from === 1 && last === lines.length;
  const more = last < lines.length ? `; call again with \`from\`: ${last + 1}` : "";
  return isWhole
    ? page.join("\n")
    : [...page, `(lines ${from} to ${last} of ${lines.length}${more})`].join("\n");
}
