/** Comma-separated values (RFC 4180). */

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line, ended by CRLF. */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(csvCell).join(",")}\r\n`;
}
