/** The output of `explain --json`. */
import { z } from "zod";
import { levels } from "../../../core/diagnostic.ts";

const rule = z.strictObject({
  id: z.string().describe("Id of the rule; stable."),
  area: z.string().describe("Where it is found: the title of a table in docs/rules.md."),
  level: z.enum(levels),
  description: z.string().describe("The situation that the rule reports."),
  why: z.string().optional().describe("The consequence."),
  help: z.string().describe("What to do."),
  tags: z.array(z.string()),
  docs: z.string().optional().describe("Page in docs/ and the anchor in it."),
  source: z.enum(["spec", "observed", "chosen"]).optional().describe("Origin of the rule."),
  code: z.int().optional().describe("Code of the interface that also reports it."),
  name: z.string().optional().describe("Name of the code; absent for codes of notes."),
  status: z.int().optional().describe("HTTP status of the code."),
});

export const explainOutput = z.array(rule).min(1).describe("A rule, or all rules of a code.");
