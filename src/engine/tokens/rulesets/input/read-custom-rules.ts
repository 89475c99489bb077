/** Reads the custom rules of zones that share an account: equal expressions are compiled once. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { failure, type Result } from "../../../../core/result.ts";
import { note } from "../../../../errors.ts";
import { type CompiledCustom, compileCustom } from "../../expression/custom/compile.ts";
import { type CustomProgram, createProgram } from "../../expression/custom/compile-value.ts";
import { parseCustomExpression } from "../../expression/custom/parse.ts";
import type { CompiledList } from "../../expression/custom/values/lists.ts";
import type { ExpressionLimits } from "../../expression/grammar.ts";
import type { ExpressionError } from "../../expression/syntax-error.ts";
import { problemAtLine } from "../../input-problem.ts";
import { type RulesetsInput, type RulesetsReading, readRulesets } from "./read-rulesets.ts";

/** The names that the expressions of custom rules can use, and their limits. */
export interface CustomRulesScope {
  /** Ids of the zone's token configurations. */
  readonly configurations: ReadonlySet<string>;
  /** The lists of the account, by name. */
  readonly lists: ReadonlyMap<string, CompiledList>;
  /** Limits of each expression. */
  readonly limits: ExpressionLimits | undefined;
}

/** Reads rulesets in one scope. */
export interface CustomRulesReader {
  /** Holds what the compiled expressions share. */
  readonly program: CustomProgram;
  /** Reads rulesets of any shape: all problems and notes, each with its pointer. */
  read(input: RulesetsInput): RulesetsReading<CompiledCustom>;
}

/** Creates a reader. */
export function createCustomRulesReader({ limits, ...scope }: CustomRulesScope): CustomRulesReader {
  const program = createProgram(scope);
  const parsed = new Map<string, Result<CompiledCustom, ExpressionError>>();
  return {
    program,
    read: (input) => {
      const notes: Diagnostic[] = [];
      const reading = readRulesets(input, (text, at) => {
        const result = parsed.get(text) ?? compileExpression(program, text, limits);
        parsed.set(text, result);
        if (!result.ok) return failure(problemAtLine(result.problems[0], at));
        for (const remark of result.value.notes) notes.push(noteAtLine(remark, at));
        return result;
      });
      return { ...reading, notes: [...notes, ...reading.notes] };
    },
  };
}

function compileExpression(
  program: CustomProgram,
  text: string,
  limits: ExpressionLimits | undefined,
): Result<CompiledCustom, ExpressionError> {
  const parsed = parseCustomExpression(text, limits);
  return parsed.ok ? compileCustom(program, text, parsed.value) : parsed;
}

function noteAtLine({ message, line, column }: ExpressionError, at: string): Diagnostic {
  return note("valueNoted", `At line ${line}, column ${column} of the expression: ${message}`, at);
}
