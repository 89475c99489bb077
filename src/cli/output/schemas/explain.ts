/** The output of `explain --json`. */
import * as z from "zod";
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

const language = z.enum(["token", "custom"]).describe("That of token validation rules, or of custom rules.");

const languageOfWord = z
  .enum(["token", "custom", "other", "verdict"])
  .describe(
    "That of token validation rules, of custom rules, or of other phases, which are not evaluated; `verdict` for the words of verdicts, replays and lists of mutants.",
  );

const word = z.strictObject({
  word: z.string(),
  kind: z.enum([
    "field",
    "function",
    "operator",
    "combinator",
    "action",
    "outcome",
    "result of a token rule",
    "result of a custom rule",
    "action of a custom rule",
    "reason",
    "recorded token",
    "result of a mutant",
  ]),
  language: languageOfWord,
  signature: z.string().describe("The word with its type or its parameters."),
  help: z.string(),
});

const example = z.strictObject({
  language,
  expression: z.string(),
  is: z.union([z.boolean(), z.literal("error")]).describe("The value, or that it is invalid."),
  token: z
    .strictObject({
      state: z.enum(["valid", "expired"]),
      claims: z.record(z.string(), z.unknown()).optional(),
    })
    .optional()
    .describe("The token of the request. Absent: none."),
  headers: z.record(z.string(), z.string()).optional(),
});

const fact = z.strictObject({
  fact: z.string(),
  source: z.enum(["spec", "observed", "chosen"]).describe("Origin of the fact."),
  examples: z.array(example),
});

export const explainOutput = z
  .array(z.union([rule, word, fact]))
  .min(1)
  .describe("A rule, all rules of a code, a word in each language that has it, or the facts of `language`.");
