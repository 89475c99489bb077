/** The documentation of an id: what it names, as Markdown. */
import { elementsOf, stringOf, type TextNode } from "../core/text-tree/node.ts";
import type { DefinedId, IdKind } from "./document.ts";

/** Maximum number of keys that are listed. */
const maxKeys = 10;

const describers: { readonly [K in IdKind]: (of: TextNode) => readonly string[] } = {
  configuration: (of) => {
    const keys = elementsOf(of, "credentials", "keys");
    const sources = elementsOf(of, "token_sources").map((node) => node.read?.().value ?? "");
    const more = keys.length > maxKeys ? [`and ${keys.length - maxKeys} more keys`] : [];
    return [
      ...sources.map((source) => `token from ${code(source)}`),
      ...keys.slice(0, maxKeys).map((key) => {
        const [kid, alg, kty] = ["kid", "alg", "kty"].map((name) => stringOf(key, name) ?? "?");
        return `key ${code(kid ?? "")}: ${escapeMarkdown(`${alg}, ${kty}`)}`;
      }),
      ...more,
    ];
  },
  rule: (of) => [`action ${code(stringOf(of, "action") ?? "?")}`, code(stringOf(of, "expression") ?? "")],
  operation: (of) => {
    const [method, host, endpoint] = ["method", "host", "endpoint"].map((name) => stringOf(of, name) ?? "?");
    return [code(`${method} ${host}${endpoint}`)];
  },
};

/** The documentation of an id. */
export function describeId({ kind, id, of }: DefinedId): string {
  const title = stringOf(of, "title");
  const head = title ? `**${escapeMarkdown(title)}** (${kind})` : `**${kind}**`;
  return [`${head}\n\n${code(id)}`, ...describers[kind](of).map((line) => `- ${line}`)].join("\n");
}

/** A text as code in Markdown: in one line, shortened, and with as many backticks as it needs. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, " ").slice(0, 300);
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return line.includes("`") ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** A text of a document in Markdown: no markup, links or pictures of it are shown. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .slice(0, 300)
    .replace(/[\\`*_{}[\]()<>#+\-.!|&~]/g, "\\$&");
}
