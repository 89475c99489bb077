/** Proxy applications in the report of `check`: a case for each. */

import type { Level, Rules } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { place } from "../../../core/place.ts";
import { checks } from "../../../engine/proxy/checks/catalogue.ts";
import type { CheckLevel, Validation } from "../../../engine/proxy/model.ts";
import { importRules } from "../../../import/import-rules.ts";
import type { Undecided } from "../../../import/undecided.ts";
import type { WorldSource } from "../../input/imports/world-source.ts";
import { type ReportCase, statusOf } from "../report/report.ts";

/** An application of a file, and its validation. */
export interface Linted {
  readonly file: string;
  readonly source: WorldSource;
  /** RFC 6901 pointer to the application in the file; empty when the file is a single application. */
  readonly at: string;
  /** The application. */
  readonly body: unknown;
  readonly validation: Validation;
  /** Whether `--fix` can change the file. */
  readonly canFix: boolean;
  /** Duration of the validation. */
  readonly seconds: number;
}

/** Levels in reports. */
const levelOf: Readonly<Record<CheckLevel, Level>> = {
  error: "error",
  restriction: "warning",
  warning: "warning",
  note: "note",
};

/** Every check of applications. */
export const applicationRules: Rules = {
  ...Object.fromEntries(
    checks.map(({ id, rule: description, why, fix: help, code, level, phase, source }) => {
      const texts = { description, why, help, docs: `proxy-codes.md#${id}` };
      return [id, { ...texts, level: levelOf[level], tags: ["proxy", phase], code, source }];
    }),
  ),
  "undecided-application": importRules["undecided-application"],
};

/** A zone whose domain is not known, with the part that says so. */
export interface UnnamedZone {
  readonly part: Undecided;
  readonly source: WorldSource;
  readonly hasApplications: boolean;
}

/** The case of the names of applications in zones whose domains are not known. @param run the command that names them */
export function unnamedCase({ part, source }: UnnamedZone, message: string, run: string): ReportCase {
  const found = undecidedApplicationCase({ ...part, message, run }, source);
  return { ...found, name: "names of applications in zones without a domain" };
}

/** An application that a file leaves undecided. */
export function undecidedApplicationCase(
  { about, effect, ...found }: Undecided,
  source: WorldSource,
): ReportCase {
  const location = source.placeOf(found.at);
  return {
    kind: "application",
    group: found.at.file,
    name: `application ${location.pointer ?? ""}`,
    status: "undecided",
    diagnostics: [{ ...found, at: location }],
    location,
  };
}

/** The case of an application. @param failOn level from which a diagnostic fails it */
export function applicationCase(
  { file, source, at, body, validation, canFix, seconds }: Linted,
  failOn: Level,
): ReportCase {
  const { violations, warnings, notEvaluated } = validation;
  const found = [...violations, ...warnings];
  return {
    kind: "application",
    group: file,
    name: nameOf(body, at),
    status: statusOf(found, failOn),
    failOn,
    ...(notEvaluated.length > 0 && {
      message: describeNotEvaluated(notEvaluated),
      unchecked: notEvaluated.map(({ check: rule, code, needs }) => ({ rule, code, needs })),
    }),
    canFix,
    location: source.place(at),
    diagnostics: place(found, source, at),
    seconds,
  };
}

function describeNotEvaluated(notEvaluated: Validation["notEvaluated"]): string {
  const facts = [...new Set(notEvaluated.flatMap(({ needs }) => needs))];
  return `${formatCount(notEvaluated.length, "check")} not evaluated, for lack of ${facts.join(", ")}`;
}

/** Its host name and protocol, which identify an application; else its place in the file. */
function nameOf(body: unknown, at: string): string {
  const { dns, protocol } = isJsonObject(body) ? body : {};
  const host = isJsonObject(dns) ? dns["name"] : undefined;
  const parts = [host, protocol].filter((part) => typeof part === "string");
  return `application ${parts.join(" ") || at || "/"}`;
}
