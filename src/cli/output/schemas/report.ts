/** The schema of the `--json` output of the commands that print a report. */
import * as z from "zod";
import { levels } from "../../../core/diagnostic.ts";
import { findingId } from "../report/acceptance/finding-ids.ts";
import { type CaseKind, caseKinds } from "../report/report.ts";

const position = z.strictObject({ line: z.int().min(1), column: z.int().min(1) });
const place = {
  file: z.string(),
  pointer: z.string().optional(),
  part: z.string().optional().describe("The part of the Terraform resource, such as one of its rules."),
  member: z.string().optional().describe("Pointer into the attributes of the Terraform resource."),
  start: position,
  end: position.optional(),
};
/** A place in a file. */
export const location = z.strictObject(place);

const patch = z.array(z.looseObject({ op: z.enum(["replace", "move"]), path: z.string() }));

const edit = z.strictObject({ start: position, end: position, text: z.string() });

const id = z
  .string()
  .regex(findingId)
  .describe("Identifies the finding in other runs; an acceptance names it.");

const diagnostic = z.strictObject({
  id,
  rule: z.string().describe("Id of the rule; stable."),
  level: z.enum(levels),
  code: z.int().optional().describe("Code of the error catalogue."),
  message: z.string(),
  details: z.string().optional(),
  help: z.string().describe("What to do."),
  run: z.string().optional().describe("The command that resolves it."),
  fix: patch
    .optional()
    .describe("The fix as JSON Patch, when there is only one; `--fix` applies those of applications."),
  edits: z.array(edit).optional().describe("The fix as edits of the file."),
  span: z
    .strictObject({ start: z.int(), end: z.int() })
    .optional()
    .describe("Characters of the string at the pointer."),
  related: z.array(z.strictObject({ pointer: z.string(), message: z.string() })).optional(),
  subject: z.record(z.string(), z.string()).optional().describe("Ids of what it is about."),
  group: z.string(),
  case: z.string(),
  ...place,
});

const unchecked = z.strictObject({ rule: z.string(), code: z.int().optional(), needs: z.array(z.string()) });

/** A fact that checks of several cases lack. */
export const missingFact = z.strictObject({
  fact: z.string().describe("A path into the facts of `edgeproof/proxy`."),
  place: z.string().optional().describe("Where a world file has it."),
  checks: z.array(unchecked.omit({ needs: true })).describe("The checks that need it."),
  cases: z.int().describe("The number of cases for which a check needs it."),
});

const reportCase = z.strictObject({
  kind: z.enum(Object.keys(caseKinds) as [CaseKind]),
  count: z.int().optional().describe("The number of things that the case represents. Default 1."),
  group: z.string(),
  name: z.string(),
  status: z.enum(["passed", "failed", "undecided", "skipped"]),
  message: z.string().optional(),
  unchecked: z.array(unchecked).optional().describe("Checks that need missing facts."),
  seconds: z.number().optional(),
  location,
});

const accepted = z.strictObject({
  id,
  rule: z.string(),
  level: z.enum(levels),
  message: z.string(),
  reason: z.string(),
  until: z.string().optional().describe("The last day in UTC on which the acceptance is valid."),
  group: z.string(),
  case: z.string(),
  ...place,
});

export const reportOutput = z
  .strictObject({
    command: z.string(),
    diagnostics: z.array(diagnostic),
    cases: z.array(reportCase),
    missingFacts: z
      .array(missingFact)
      .describe("The facts for lack of which checks were not evaluated, of all cases together."),
    accepted: z.array(accepted).describe("Findings that are accepted; they do not fail the check."),
    evaluated: z.record(z.string(), z.int()).describe("What was evaluated, by kind."),
  })
  .describe("What was tested and what was found.");
