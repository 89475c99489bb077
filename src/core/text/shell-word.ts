/** A word of a POSIX shell: in single quotes where it needs them, in which only the quote itself has a meaning. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
