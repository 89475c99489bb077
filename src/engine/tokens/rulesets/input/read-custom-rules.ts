/** Reads the rulesets of zones that share an account: equal expressions are compiled or checked once. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { failure, type Result, success } from "../../../../core/result.ts";
import { note } from "../../../../errors.ts";
import { type CompiledCustom, checkNames, compileCustom } from "../../expression/compile.ts";
import { createProgram, type Program } from "../../expression/compile-value.ts";
import type { ExpressionLimits } from "../../expression/grammar.ts";
import type { RuleKind } from "../../expression/language/rule-kinds.ts";
import type { NotedPart } from "../../expression/notes.ts";
import { parseExpression } from "../../expression/parser.ts";
import type { ExpressionError } from "../../expression/syntax-error.ts";
import type { CompiledList } from "../../expression/values/lists.ts";
import { problemAtLine } from "../../input-problem.ts";
import { type RulesetsInput, type RulesetsReading, readRulesets } from "./read-rulesets.ts";
import type { ZoneFacts } from "./zone-facts.ts";

/** The names that the expressions of custom rules can use, and their limits. */
export interface CustomRulesScope {
  /** Ids of the zone's token configurations. */
  readonly configurations: ReadonlySet<string>;
  /** The lists of the account, by name. */
  readonly lists: ReadonlyMap<string, CompiledList>;
  /** The facts of the zone; absent for rules of an account. */
  readonly zone?: ZoneFacts;
  /** Limits of each expression. */
  readonly limits: ExpressionLimits | undefined;
}

/** Reads rulesets in one scope. */
export interface CustomRulesReader {
  /** Holds what the compiled expressions share. */
  readonly program: Program;
  /** Reads rulesets of any shape: all problems and notes, each with its pointer. */
  read(input: RulesetsInput): RulesetsReading<CompiledCustom>;
}

/** Creates a reader. */
export function createCustomRulesReader({ limits, ...scope }: CustomRulesScope): CustomRulesReader {
  const program = createProgram(scope);
  const compile = eachOnce((_, text) => compileExpression(program, text, limits));
  const check = eachOnce((kind, text) => {
    const parsed = parseExpression(text, { ...limits, rules: kind });
    if (!parsed.ok) return parsed;
    const named = checkNames(program, text, parsed.value);
    return named.ok ? success({ tree: parsed.value, notes: named.value }) : named;
  });
  return {
    program,
    read: (input) => {
      const notes: Diagnostic[] = [];
      const addNotes = (remarks: readonly NotedPart[], at: string) => {
        for (const remark of remarks) notes.push(noteAtLine(remark, at));
      };
      const reading = readRulesets(
        input,
        (text, at) => {
          const result = compile("custom", text);
          if (!result.ok) return failure(problemAtLine(result.problems[0], at));
          addNotes(result.value.notes, at);
          return result;
        },
        (kind, text, at) => {
          const result = check(kind, text);
          if (!result.ok) return failure(problemAtLine(result.problems[0], at));
          addNotes(result.value.notes, at);
          return result;
        },
      );
      return { ...reading, notes: [...notes, ...reading.notes] };
    },
  };
}

type Read<V> = (kind: RuleKind, text: string) => Result<V, ExpressionError>;

/** Reads equal expressions of a kind once. */
function eachOnce<V>(read: Read<V>): Read<V> {
  const known = new Map<string, Result<V, ExpressionError>>();
  return (kind, text) => {
    const key = `${kind} ${text}`;
    const result = known.get(key) ?? read(kind, text);
    known.set(key, result);
    return result;
  };
}

function compileExpression(
  program: Program,
  text: string,
  limits: ExpressionLimits | undefined,
): Result<CompiledCustom, ExpressionError> {
  const parsed = parseExpression(text, { ...limits, rules: "custom" });
  return parsed.ok ? compileCustom(program, text, parsed.value) : parsed;
}

function noteAtLine({ message, line, column }: ExpressionError, at: string): Diagnostic {
  return note("valueNoted", `At line ${line}, column ${column} of the expression: ${message}`, at);
}
