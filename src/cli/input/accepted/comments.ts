/** Comments that accept findings: `edgeproof-accept <rule> [until YYYY-MM-DD]: <reason>`, in YAML, JSONC and Terraform. */
import { extname } from "node:path";
import { createLineIndex, type TextSpan } from "../../../core/line-index.ts";
import { UsageError } from "../../command.ts";
import type { Acceptance } from "../../output/report/acceptance/accept.ts";
import { isYamlText } from "../files.ts";
import { isDate } from "./dates.ts";

type FindComments = (text: string) => readonly TextSpan[];

/** The part of a text that a comment about an offset is about; undefined for the line. */
type FindPart = (text: string) => (offset: number) => TextSpan | undefined;

interface Language {
  readonly find: FindComments;
  readonly partAt?: FindPart;
}

/** The comments of each language; its parser is loaded only for a text that has an acceptance. */
const languages = {
  yaml: async () => ({ find: (await import("../../../core/yaml/comments.ts")).yamlComments }),
  jsonc: async () => ({ find: (await import("../../../core/json/comments.ts")).jsonComments }),
  terraform: async () => {
    const { terraformComments: find, terraformParts: partAt } = await import("./terraform-comments.ts");
    return { find, partAt };
  },
} as const satisfies Record<string, () => Promise<Language>>;

/** The word that begins an acceptance. */
export const acceptMark = "edgeproof-accept";

/** A line of a comment that accepts; in a comment of several lines each can. */
const mark = /^([ \t]*)(?:(?:#|\/\/|\/\*|\*)[ \t]*)?edgeproof-accept\b(.*)$/gm;

/** The rule and the date before the colon. */
const head = /^\s+([a-z0-9]+(?:[-_][a-z0-9]+)*)(?:\s+until\s+(\S+))?$/;

/** The parts of an acceptance after its mark. */
function readContent(rest: string): {
  readonly rule?: string;
  readonly until?: string;
  readonly reason: string;
} {
  const colon = rest.indexOf(":");
  const [, rule, until] = head.exec(rest.slice(0, Math.max(colon, 0)).trimEnd()) ?? [];
  const reason = rest.slice(colon + 1).trim();
  return {
    ...(rule !== undefined && { rule }),
    ...(until !== undefined && { until }),
    reason: reason.endsWith("*/") ? reason.slice(0, -2).trimEnd() : reason,
  };
}

/**
 * The acceptances of a file. A comment behind a value is about its line, one that begins its line about the line of
 * what follows, other comments left out. In Terraform, it is about the whole rule or resource that it is in or before.
 *
 * @throws {UsageError} with the place of a comment that is not complete
 */
export async function commentsOf(file: string, text: string): Promise<readonly Acceptance[]> {
  const language = languageOf(file, text);
  if (language === undefined || !text.includes(acceptMark)) return [];
  const { find, partAt }: Language = await languages[language]();
  const partOf = partAt?.(text);
  const comments = find(text);
  const targets = targetsOf(text, comments);
  const positionAt = createLineIndex(text);
  return comments.flatMap(({ offset, length }, i) => {
    const marks = [...text.slice(offset, offset + length).matchAll(mark)];
    return marks.map(({ index, 1: indent = "", 2: rest = "" }) => {
      const start = positionAt(offset + index + indent.length);
      const { rule, until, reason } = readContent(rest);
      if (rule === undefined || reason === "" || (until !== undefined && !isDate(until)))
        throw new UsageError(
          `${file}:${start.line}:${start.column}: an acceptance is \`edgeproof-accept <rule>: <reason>\` or \`edgeproof-accept <rule> until 2026-12-31: <reason>\`; found \`edgeproof-accept${rest.trimEnd()}\``,
        );
      const target = targets[i]!;
      const part = partOf?.(target);
      const { line } = positionAt(part?.offset ?? target);
      const lastLine = part ? positionAt(part.offset + part.length).line : line;
      return {
        comment: { rule, line, lastLine },
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
