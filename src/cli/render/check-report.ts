/** The report of `render --check`: a case for each rendered picture, and for each approved one that none was rendered for. */
import { join } from "node:path";
import { type Diagnostic, diagnostic, type Rules } from "../../core/diagnostic.ts";
import { startOf } from "../../import/origin.ts";
import type { Report, ReportCase } from "../output/report/report.ts";
import type { RenderOutcome } from "./folder.ts";
import type { GoldenFolder, GoldenOutcome } from "./golden.ts";

/** The findings of a check of rendered pictures. */
export const renderRules = {
  "rejected-picture": {
    level: "error",
    description: "A picture cannot be rendered.",
    help: "Replace the picture, or change the variant.",
    tags: ["images"],
  },
  "different-picture": {
    level: "error",
    description: "A rendered picture does not look like the approved one.",
    help: "Correct the variant, or approve the picture with --update.",
    tags: ["images"],
  },
  "missing-approval": {
    level: "error",
    description: "A rendered picture has no approved one.",
    help: "Approve the picture with --update.",
    tags: ["images"],
  },
  "unused-approval": {
    level: "error",
    description: "An approved picture is not rendered from any input and variant of this run.",
    help: "Restore the input or the variant, or delete the approved picture.",
    tags: ["images"],
  },
} as const satisfies Rules;

const ruleOfStatus = {
  different: "different-picture",
  missing: "missing-approval",
} as const satisfies Partial<Record<GoldenOutcome["status"], keyof typeof renderRules>>;

/** @param unused names of the approved pictures that were not rendered */
export function checkReport(
  outcomes: readonly RenderOutcome[],
  unused: readonly string[],
  { folder }: GoldenFolder,
  from: string,
): Report {
  const cases = [
    ...outcomes.map((outcome) => {
      const { source, variant, rendered } = outcome;
      const name = rendered?.name ?? (variant === undefined ? source : `${source} (${variant})`);
      return caseOf(name, source, faultOf(outcome));
    }),
    ...unused.map((name) => {
      const message = `${name} is approved, but no picture of this run has this name.`;
      return caseOf(name, join(folder, name), diagnostic(renderRules, "unused-approval", message));
    }),
  ];
  const whenEmpty = `Add a picture to ${from}.`;
  return { command: "render", rules: renderRules, cases, whenEmpty, inputs: startOf(from) };
}

function faultOf({ check, problem }: RenderOutcome): Diagnostic | undefined {
  if (problem !== undefined) return diagnostic(renderRules, "rejected-picture", problem);
  if (check?.status !== "different" && check?.status !== "missing") return undefined;
  return diagnostic(renderRules, ruleOfStatus[check.status], check.reason);
}

function caseOf(name: string, file: string, fault: Diagnostic | undefined): ReportCase {
  const location = startOf(file);
  return {
    kind: "picture",
    group: "pictures",
    name,
    status: fault ? "failed" : "passed",
    diagnostics: fault ? [{ ...fault, at: location }] : [],
    location,
  };
}
