/** Holds a body against the checks, phase by phase (`spec`: order; that a phase with findings is the last is `chosen`). */
import { catalogue, type Note, noteCodes } from "../../errors.ts";
import { candidatePhases, decodeGroups, fieldGroups, shapeGroups } from "./checks/catalogue.ts";
import { type Check, type CheckGroup, type Finding, isMissing, type Missing } from "./checks/check.ts";
import { compileFacts } from "./facts/compile-facts.ts";
import type { CompiledFacts, Facts } from "./facts/facts.ts";
import type { App, NotEvaluated, PreviousApp, ValidateOptions, Validation, Violation } from "./model.ts";
import { readShape } from "./read/app.ts";
import { type Decoded, decodeBody } from "./read/decode.ts";
import { mergeApp } from "./read/merge.ts";

/**
 * Validates an application's body against what is known of its world. Pure and total: any value can be a body.
 * Use `compileFacts` and `validateCompiled` to hold many bodies against the same facts.
 *
 * @throws InvalidInputError when `facts` are malformed; TypeError when the mode is `merge` and `previous` is missing
 * @example
 * ```ts
 * const { violations } = validateApp({
 *   protocol: "tcp/443",
 *   dns: { name: "www.example.com" },
 *   origin_direct: ["tcp://2001:db8::1:443"],
 * });
 * violations[0]?.code; // => 11002
 * violations[0]?.patch; // => [{ op: "replace", path: "/origin_direct/0", value: "tcp://[2001:db8::1]:443" }]
 * ```
 */
export function validateApp(body: unknown, facts: Facts = {}, options: ValidateOptions = {}): Validation {
  return validateCompiled(body, compileFacts(facts), options);
}

/**
 * Validates a body against compiled facts.
 *
 * @throws TypeError when the mode is `merge` and `previous` is missing
 * @example validateCompiled({}, compileFacts({ plan: "add-on" })).violations[0]?.code // 10400
 */
export function validateCompiled(
  body: unknown,
  facts: CompiledFacts,
  options: ValidateOptions = {},
): Validation {
  const { previous, mode = "replace" } = options;
  const change = mode === "merge" ? decodeBody(body, "keep") : undefined;
  const sent = change ?? decodeBody(body, "drop");
  const run: Run = { violations: [], notEvaluated: undefined };
  if (applied(decodeGroups, sent, facts, run)) return finished(run, []);
  const unknown = sent.unknown;
  if (applied(fieldGroups, sent, facts, run)) return finished(run, unknown);
  const whole = change ? merged(change, previous) : sent;
  const reading = readShape(whole.members, previous);
  const ignored = reading.ignored.length > 0 ? [...unknown, ...reading.ignored] : unknown;
  if (!reading.candidate) {
    applied(shapeGroups, reading, facts, run);
    return finished(run, ignored);
  }
  for (const groups of candidatePhases) {
    if (applied(groups, reading.candidate, facts, run)) return finished(run, ignored);
  }
  return finished(run, ignored, reading.candidate.app);
}

interface Run {
  readonly violations: Violation[];
  notEvaluated: NotEvaluated[] | undefined;
}

function merged(change: Decoded, previous: PreviousApp | undefined): Decoded {
  if (!previous) throw new TypeError('Give the stored application as `previous` when the mode is "merge"');
  return decodeBody(mergeApp(previous, change.members as unknown as Record<string, unknown>), "drop");
}

/** Makes the checks of a phase; true when one of them found something. */
function applied<I>(groups: readonly CheckGroup<I>[], input: I, facts: CompiledFacts, run: Run): boolean {
  for (const { applies, checks } of groups) {
    if (!applies(input)) continue;
    for (const check of checks) {
      const outcome = check.run(input, facts);
      if (outcome !== undefined) record(check, outcome, run);
    }
  }
  return run.violations.length > 0;
}

function record<I>(check: Check<I>, outcome: Missing | readonly Finding[], run: Run): void {
  if (isMissing(outcome)) {
    run.notEvaluated ??= [];
    run.notEvaluated.push({ check: check.id, code: check.code, needs: outcome.missing });
  } else for (const finding of outcome) run.violations.push(violation(check, finding));
}

function violation<I>(check: Check<I>, finding: Finding): Violation {
  const { code, id, phase, fix } = check;
  const { message, pointers, patch } = finding;
  const said = { code, status: catalogue[code].status, check: id, phase, message, pointers, fix };
  return patch ? { ...said, patch } : said;
}

function finished(run: Run, ignored: readonly string[], app?: App): Validation {
  const notEvaluated = run.notEvaluated ?? [];
  const messages = [...ignored.map(ignoredNote), ...notEvaluated.map(notEvaluatedNote)];
  const said = { violations: run.violations, notEvaluated, messages };
  return app ? { app, ...said } : said;
}

function ignoredNote(pointer: string): Note {
  return {
    code: noteCodes.memberIgnored,
    message: `The member \`${pointer.slice(1, 81)}\` is ignored.`,
    pointer,
  };
}

function notEvaluatedNote({ check, code, needs }: NotEvaluated): Note {
  const facts = needs.map((name) => `\`${name}\``).join(", ");
  return {
    code: noteCodes.notEvaluated,
    message: `The check \`${check}\` (${code}) was not evaluated; it needs the fact ${facts}.`,
  };
}
