/** Comments that accept findings: `edgeproof-accept <rule> [until YYYY-MM-DD]: <reason>`, in YAML, JSONC and Terraform. */
import { extname } from "node:path";
import { UsageError } from "../../command.ts";
import type { Acceptance } from "../../output/report/acceptance/accept.ts";
import { isYamlText } from "../files.ts";
import { isDate } from "./dates.ts";

/** The signs that begin a comment. */
const signs = { yaml: /#/, jsonc: /\/\/|\/\*/, terraform: /#|\/\/|\/\*/ } as const;

const content = /^\s+([a-z0-9]+(?:[-_][a-z0-9]+)*)(?:\s+until\s+(\S+?))?\s*:\s*(\S.*?)\s*(?:\*\/\s*)?$/;

/**
 * The acceptances of a file. A comment behind a value is about its line, one on a line of its own about the next line
 * that has more than a comment.
 *
 * @throws {UsageError} with the place of a comment that is not complete
 */
export function commentsOf(file: string, text: string): readonly Acceptance[] {
  const language = languageOf(file, text);
  if (language === undefined || !text.includes("edgeproof-accept")) return [];
  const mark = new RegExp(
    `^(.*?)(?:^|(?<=[\\s,{}[\\]]))(?:${signs[language].source})\\s*edgeproof-accept\\b(.*)$`,
  );
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, i) => {
    const [, before, rest = ""] = mark.exec(line) ?? [];
    if (before === undefined) return [];
    const at = { file, start: { line: i + 1, column: before.length + 1 } };
    const [, rule, until, reason] = content.exec(rest) ?? [];
    if (rule === undefined || reason === undefined || (until !== undefined && !isDate(until)))
      throw new UsageError(
        `${file}:${i + 1}:${before.length + 1}: an acceptance is \`edgeproof-accept <rule>: <reason>\` or \`edgeproof-accept <rule> until 2026-12-31: <reason>\`; found \`edgeproof-accept${rest.trimEnd()}\``,
      );
    const target = before.trim() === "" ? nextLine(lines, i + 1, language) : i;
    const end = until !== undefined && { until };
    return [{ comment: { rule, line: target + 1 }, reason, ...end, at }];
  });
}

function languageOf(file: string, text: string): keyof typeof signs | undefined {
  const extension = extname(file).toLowerCase();
  if (extension === ".tf") return "terraform";
  if (extension === ".jsonc") return "jsonc";
  return isYamlText(file, text) ? "yaml" : undefined;
}

/** The index of the first line from `from` on that is neither empty nor only a comment. */
function nextLine(lines: readonly string[], from: number, language: keyof typeof signs): number {
  const isComment = new RegExp(`^\\s*(?:$|${signs[language].source})`);
  const found = lines.findIndex((line, i) => i >= from && !isComment.test(line));
  return found < 0 ? from : found;
}
