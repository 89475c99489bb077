/** Comments that accept findings: `edgeproof-accept <rule> [until YYYY-MM-DD]: <reason>`, in YAML, JSONC and Terraform. */
import { extname } from "node:path";
import { createLineIndex, type TextSpan } from "../../../core/line-index.ts";
import { UsageError } from "../../command.ts";
import type { Acceptance } from "../../output/report/acceptance/accept.ts";
import { isYamlText } from "../files.ts";
import { isDate } from "./dates.ts";

type FindComments = (text: string) => readonly TextSpan[];

/** The comments of each language; its parser is loaded only for a text that has an acceptance. */
const languages = {
  yaml: async () => (await import("../../../core/yaml/comments.ts")).yamlComments,
  jsonc: async () => (await import("../../../core/json/comments.ts")).jsonComments,
  terraform: async () => (await import("./terraform-comments.ts")).terraformComments,
} as const satisfies Record<string, () => Promise<FindComments>>;

/** The word that begins an acceptance. */
export const acceptMark = "edgeproof-accept";

/** A line of a comment that accepts; in a comment of several lines each can. */
const mark = /^([ \t]*)(?:#|\/\/|\/\*|\*)?[ \t]*edgeproof-accept\b(.*)$/gm;

const content = /^\s+([a-z0-9]+(?:[-_][a-z0-9]+)*)(?:\s+until\s+(\S+?))?\s*:\s*(\S.*?)\s*(?:\*\/\s*)?$/;

/**
 * The acceptances of a file. A comment behind a value is about its line, one that begins its line about the line of
 * what follows, other comments left out.
 *
 * @throws {UsageError} with the place of a comment that is not complete
 */
export async function commentsOf(file: string, text: string): Promise<readonly Acceptance[]> {
  const language = languageOf(file, text);
  if (language === undefined || !text.includes(acceptMark)) return [];
  const find = await languages[language]();
  const comments = find(text);
  const targets = targetsOf(text, comments);
  const positionAt = createLineIndex(text);
  return comments.flatMap(({ offset, length }, i) => {
    const marks = [...text.slice(offset, offset + length).matchAll(mark)];
    return marks.map(({ index, 1: indent = "", 2: rest = "" }) => {
      const start = positionAt(offset + index + indent.length);
      const [, rule, until, reason] = content.exec(rest) ?? [];
      if (rule === undefined || reason === undefined || (until !== undefined && !isDate(until)))
        throw new UsageError(
          `${file}:${start.line}:${start.column}: an acceptance is \`edgeproof-accept <rule>: <reason>\` or \`edgeproof-accept <rule> until 2026-12-31: <reason>\`; found \`edgeproof-accept${rest.trimEnd()}\``,
        );
      const { line } = positionAt(targets[i]!);
      return {
        comment: { rule, line },
        reason,
        ...(until !== undefined && { until }),
        at: { file, start },
      };
    });
  });
}

function languageOf(file: string, text: string): keyof typeof languages | undefined {
  const extension = extname(file).toLowerCase();
  if (extension === ".tf") return "terraform";
  if (extension === ".jsonc") return "jsonc";
  return isYamlText(file, text) ? "yaml" : undefined;
}

/** The offset of what each comment is about. */
function targetsOf(text: string, comments: readonly TextSpan[]): readonly number[] {
  const visible = /\S/g;
  let [next, target] = [text.length, text.length];
  // Backwards: of many comments in a row, all are about what follows the last.
  const targets = comments.toReversed().map(({ offset, length }) => {
    visible.lastIndex = offset + length;
    const after = visible.exec(text)?.index ?? text.length;
    if (after !== next) target = after;
    next = offset;
    const line = offset === 0 ? "" : text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
    return line.trim() === "" ? target : offset;
  });
  return targets.toReversed();
}
