/** Runs the checks on a body phase by phase (`spec`: order; to stop after the first phase with violations is `chosen`). */
import {
  anyValue,
  type KindsOf,
  madeBy,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../../core/arguments.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import { candidatePhases, decodeGroups, fieldGroups, formatGroups } from "./checks/catalogue.ts";
import {
  type Check,
  type CheckGroup,
  isErrorCode,
  isMissing,
  type Outcome,
  type ViolationDetails,
} from "./checks/check.ts";
import { compileFacts } from "./facts/compile-facts.ts";
import { type CompiledFacts, compiledFacts, type Facts } from "./facts/facts.ts";
import type { App, NotEvaluated, PreviousApp, ValidateOptions, Validation } from "./model.ts";
import { readApp } from "./read/app.ts";
import { type Decoded, decodeBody } from "./read/decode.ts";
import { memberPath } from "./read/describe-input.ts";
import { mergeApp } from "./read/merge.ts";

/** The members of `ValidateOptions`. */
const validateMembers: KindsOf<ValidateOptions> = {
  previous: anyValue,
  mode: anyValue,
  restrictions: anyValue,
};

const compiledOptions = optionsOf<ValidateOptions>("validateCompiled", validateMembers);

/**
 * Validates an application's body against the known facts. Pure; accepts any value as body.
 * Use `compileFacts` and `validateCompiled` to validate many bodies against the same facts.
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
 * violations[0]?.fix; // => [{ op: "replace", path: "/origin_direct/0", value: "tcp://[2001:db8::1]:443" }]
 * ```
 */
export function validateApp(body: unknown, facts: Facts = {}, options: ValidateOptions = {}): Validation {
  requireArgument("options", options, optionsOf<ValidateOptions>("validateApp", validateMembers));
  return validateCompiled(body, compileFacts(facts), options);
}

/**
 * Validates a body against compiled facts. Accepts any value as body.
 *
 * @throws TypeError when the mode is `merge` and `previous` is missing
 * @example validateCompiled({}, compileFacts({ plan: "add-on" })).violations[0]?.code // 10400
 */
export function validateCompiled(
  body: unknown,
  facts: CompiledFacts,
  options: ValidateOptions = {},
): Validation {
  requireArguments({
    facts: [facts, madeBy("compileFacts", compiledFacts)],
    options: [options, compiledOptions],
  });
  const { previous, mode = "replace", restrictions = "note" } = options;
  const change = mode === "merge" ? decodeBody(body, "keep") : undefined;
  const sent = change ?? decodeBody(body, "drop");
  const out: Collected = { ...nothingFound(), isEnforced: restrictions === "enforce" };
  if (runPhase(decodeGroups, sent, facts, out)) return validationOf(out);
  if (runPhase(fieldGroups, sent, facts, out)) return validationOf(out);
  const whole = change ? mergeChange(change, previous) : sent;
  const reading = readApp(whole.members, previous);
  if (runPhase(formatGroups, reading, facts, out) || !reading.candidate) return validationOf(out);
  for (const groups of candidatePhases) {
    if (runPhase(groups, reading.candidate, facts, out)) return validationOf(out);
  }
  return validationOf(out, reading.candidate.app);
}

/** The application that a body describes, with its defaults, valid or not; undefined when its format is wrong. */
export function readStoredApp(body: unknown): App | undefined {
  return readApp(decodeBody(body, "drop").members, undefined).candidate?.app;
}

/** The findings of the phases that ran. */
interface Collected {
  readonly violations: CodedDiagnostic[];
  readonly isEnforced: boolean;
  warnings: Diagnostic[] | undefined;
  notEvaluated: NotEvaluated[] | undefined;
}

function nothingFound(): Omit<Collected, "isEnforced"> {
  return { violations: [], warnings: undefined, notEvaluated: undefined };
}

function mergeChange(change: Decoded, previous: PreviousApp | undefined): Decoded {
  if (!previous) throw new TypeError('Pass the stored application as `previous` when the mode is "merge"');
  return decodeBody(mergeApp(previous, change.members), "drop");
}

/** Runs the checks of a phase; true when one of them found a violation. */
function runPhase<I>(
  groups: readonly CheckGroup<I>[],
  input: I,
  facts: CompiledFacts,
  out: Collected,
): boolean {
  for (const { applies, checks } of groups) {
    if (!applies(input)) continue;
    for (const check of checks) addOutcome(check, check.run(input, facts), out);
  }
  return out.violations.length > 0;
}

function addOutcome<I>(check: Check<I>, outcome: Outcome<ViolationDetails>, out: Collected): void {
  if (outcome === undefined) return;
  if (isMissing(outcome)) {
    out.notEvaluated ??= [];
    out.notEvaluated.push({ check: check.id, code: check.code, needs: outcome.missing });
  } else for (const details of outcome) addFinding(check, details, out);
}

function addFinding<I>(check: Check<I>, details: ViolationDetails, out: Collected): void {
  const { code, id: rule, level, fix: help } = check;
  const { message, pointers, patch: fix } = details;
  const [pointer = "", ...others] = pointers;
  const rest = { message, pointer, help, ...(fix && { fix }), ...(others.length > 0 && relatedTo(others)) };
  const rejects = level === "error" || (level === "restriction" && out.isEnforced);
  if (rejects && isErrorCode(code)) {
    out.violations.push({ rule, level: "error", code, ...rest });
  } else {
    out.warnings ??= [];
    out.warnings.push({ rule, level: level === "note" ? "note" : "warning", code, ...rest });
  }
}

function relatedTo(pointers: readonly string[]): Pick<Diagnostic, "related"> {
  return { related: pointers.map((pointer) => ({ pointer, message: `${memberPath(pointer)} takes part.` })) };
}

function validationOf(out: Collected, app?: App): Validation {
  const { violations, warnings = [], notEvaluated = [] } = out;
  return app ? { app, violations, warnings, notEvaluated } : { violations, warnings, notEvaluated };
}
