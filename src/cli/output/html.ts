/** Parts of HTML pages that need no network: a head that forbids loading and scripts, and escapes. */
import { replaceCommandMarks } from "./workflow-commands.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for elements and for attributes in quotes, and the marks of workflow commands. */
export function escapeHtml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (c) => entities[c] ?? c);
  return replaceCommandMarks(escaped, { colon: "&#58;", hash: "&#35;" });
}

/** The lines up to the start of the body. The page loads nothing and runs nothing, even with hostile contents. */
export function printHtmlHead(title: string, style: string, { images = false } = {}): readonly string[] {
  const sources = `default-src 'none'; ${images ? "img-src data:; " : ""}style-src 'unsafe-inline'`;
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    `<meta http-equiv="content-security-policy" content="${sources}">`,
    `<style>${style}</style></head>`,
    "<body>",
  ];
}
