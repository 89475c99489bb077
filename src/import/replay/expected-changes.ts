/** The changes of verdicts that a user expects: `[{ "rule": "...", "from": "allow", "to": "block" }]`. */
import { isJsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { inputProblem, invalidValue } from "../../engine/tokens/input-problem.ts";
import { type CodedDiagnostic, pointer } from "../../errors.ts";
import type { DifferenceKind } from "./difference-table.ts";

/** Changes that are expected; members that are left out match everything. */
export interface ExpectedChange {
  /** Id or title of the rule that decided before or decides after the change. */
  readonly rule?: string;
  /** Id of the operation. */
  readonly operation?: string;
  /** Host of the requests. */
  readonly host?: string;
  /** The earlier action. */
  readonly from: "allow" | "log" | "block";
  /** The later action. */
  readonly to: "allow" | "log" | "block";
}

const actions: readonly unknown[] = ["allow", "log", "block"];
const selectors = ["rule", "operation", "host"];
const members: ReadonlySet<string> = new Set([...selectors, "from", "to"]);

/**
 * Reads a list of expected changes.
 *
 * @example
 * ```ts
 * const read = readExpectedChanges([{ host: "api.example.com", from: "allow", to: "deny" }]);
 * !read.ok && read.problems[0].pointer; // => "/0/to"
 * ```
 */
export function readExpectedChanges(value: unknown): Result<readonly ExpectedChange[]> {
  if (!Array.isArray(value)) return failure(invalidValue("", "the file", "an array of objects", value));
  const problems = value.flatMap((change: unknown, i) => checkChange(change, pointer(i)));
  const [first, ...rest] = problems;
  return first === undefined ? success(value as readonly ExpectedChange[]) : failure(first, ...rest);
}

function checkChange(change: unknown, at: string): CodedDiagnostic[] {
  if (!isJsonObject(change)) return [invalidValue(at, "an expected change", "an object", change)];
  const unknown = Object.keys(change).filter((name) => !members.has(name));
  const problems = unknown.map((name) => {
    return inputProblem(
      at + pointer(name),
      `An expected change has the members ${[...members].join(", ")} only.`,
    );
  });
  for (const name of ["from", "to"]) {
    if (!actions.includes(change[name]))
      problems.push(
        invalidValue(at + pointer(name), `\`${name}\``, "`allow`, `log` or `block`", change[name]),
      );
  }
  for (const name of selectors) {
    if (Object.hasOwn(change, name) && typeof change[name] !== "string")
      problems.push(invalidValue(at + pointer(name), `\`${name}\``, "a string", change[name]));
  }
  if (!selectors.some((name) => Object.hasOwn(change, name)))
    problems.push(inputProblem(at, "An expected change must have `rule`, `operation` or `host`."));
  return problems;
}

/** Whether a difference is one of the expected changes. */
export function isExpectedChange(kind: DifferenceKind, expected: readonly ExpectedChange[]): boolean {
  return expected.some((change) => matches(change, kind));
}

function matches({ rule, operation, host, from, to }: ExpectedChange, kind: DifferenceKind): boolean {
  if (from !== kind.from.action || to !== kind.to.action) return false;
  const rules = [kind.from.rule, kind.from.title, kind.to.rule, kind.to.title];
  return (
    (rule === undefined || rules.includes(rule)) &&
    (operation === undefined || operation === kind.operation) &&
    (host === undefined || host.toLowerCase() === kind.host)
  );
}
