/** Reads and checks the rulesets of an account and a zone: all problems at once, each with its pointer. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json-value.ts";
import { append } from "../../../../core/lists.ts";
import { failure, type Result } from "../../../../core/result.ts";
import { didYouMean } from "../../../../core/suggest.ts";
import { type CodedDiagnostic, note, pointer, problem, quote } from "../../../../errors.ts";
import type { RuleKind } from "../../expression/language/rule-kinds.ts";
import type { NotedPart } from "../../expression/notes.ts";
import type { Expression } from "../../expression/tree.ts";
import { inputProblem, invalidValue, mustBe } from "../../input-problem.ts";
import { customActions, readAction } from "../actions.ts";
import { type CustomRule, customPhase, type Ruleset, type RulesetKind, rulesetKinds } from "../model.ts";
import { describePhase, otherExpressions } from "./other-rules.ts";
import { checkParameters } from "./parameters.ts";
import { phases } from "./phases.ts";

/** Who has a list of rulesets, and so its entry point. */
export type Level = "account" | "zone";

/** The levels in the order of their evaluation, with the member of the input and the kind of the entry point. */
export const levels = {
  account: { member: "account_rulesets", entry: "root", owner: "an account (`account_rulesets`)" },
  zone: { member: "rulesets", entry: "zone", owner: "a zone (`rulesets`)" },
} as const satisfies Readonly<Record<Level, { member: string; entry: RulesetKind; owner: string }>>;

/** Maximum number of rules that one request evaluates, with those of executed rulesets each time (`chosen`). */
const maxEvaluatedRules = 100_000;

/** Maximum number of ids in a message. */
const maxListed = 10;

/** A custom rule with its expression parsed; undefined when an import states that it cannot be evaluated. */
export interface ReadCustomRule<E> {
  readonly rule: CustomRule;
  readonly expression: E | undefined;
  /** RFC 6901 pointer of the rule. */
  readonly at: string;
}

/** A ruleset of the evaluated phase. */
export interface ReadRuleset<E> {
  readonly ruleset: Ruleset;
  readonly rules: readonly ReadCustomRule<E>[];
  /** RFC 6901 pointer of the ruleset. */
  readonly at: string;
}

/** A ruleset of another phase. */
export interface OtherRuleset {
  readonly ruleset: Ruleset;
  /** RFC 6901 pointer of the ruleset. */
  readonly at: string;
  /** The expressions that were checked, each with its pointer; undefined when those of its phase are not known. */
  readonly expressions: readonly CheckedExpression[] | undefined;
}

/** An expression that was checked, and is not evaluated. */
export interface CheckedExpression extends CheckedTree {
  readonly at: string;
}

/** The tree of an expression, and the remarks on it. */
export interface CheckedTree {
  readonly tree: Expression;
  readonly notes: readonly NotedPart[];
}

/** Rulesets without problems. */
export interface ReadRulesets<E> {
  readonly entries: Readonly<Partial<Record<Level, ReadRuleset<E>>>>;
  /** The rulesets that an entry point may execute, by id. */
  readonly executable: ReadonlyMap<string, ReadRuleset<E>>;
  /** The rulesets of other phases. */
  readonly others: readonly OtherRuleset[];
}

/** The rulesets of a zone as given, of any shape. */
export interface RulesetsInput {
  readonly account_rulesets?: unknown;
  readonly rulesets?: unknown;
}

/** Parses the expression of a rule at a pointer; a failure has all its problems. */
export type ParseExpression<E> = (text: string, at: string) => Result<E>;

/** Checks an expression that is not evaluated, at a pointer; a failure has all its problems. */
export type CheckExpression = (kind: RuleKind, text: string, at: string) => Result<CheckedTree>;

interface Reader<E> {
  readonly parse: ParseExpression<E>;
  readonly check: CheckExpression;
  readonly problems: CodedDiagnostic[];
  readonly notes: Diagnostic[];
  readonly ids: Set<string>;
  readonly entries: Partial<Record<Level, ReadRuleset<E>>>;
  readonly executable: Map<string, ReadRuleset<E>>;
  readonly others: OtherRuleset[];
  /** The entry points of all phases, by level and phase. */
  readonly entryPoints: Map<string, string>;
  /** The `execute` rules, to be resolved when all rulesets are known. */
  readonly executes: { readonly id: string; readonly at: string; readonly by: ReadRuleset<E> }[];
}

/** The rulesets, and everything that was found; with problems, the rulesets are incomplete. */
export interface RulesetsReading<E> {
  readonly read: ReadRulesets<E>;
  readonly problems: readonly CodedDiagnostic[];
  readonly notes: readonly Diagnostic[];
}

/** Reads rulesets of any shape. */
export function readRulesets<E>(
  input: RulesetsInput,
  parse: ParseExpression<E>,
  check: CheckExpression,
): RulesetsReading<E> {
  const reader: Reader<E> = {
    parse,
    check,
    problems: [],
    notes: [],
    ids: new Set(),
    entries: {},
    executable: new Map(),
    others: [],
    entryPoints: new Map(),
    executes: [],
  };
  for (const level of Object.keys(levels) as Level[]) readLevel(reader, level, input[levels[level].member]);
  checkExecutes(reader);
  return { read: reader, problems: reader.problems, notes: reader.notes };
}

function readLevel<E>(reader: Reader<E>, level: Level, list: unknown): void {
  const { member } = levels[level];
  if (list === undefined) return;
  if (!Array.isArray(list)) {
    reader.problems.push(invalidValue(pointer(member), `\`${member}\``, "an array of rulesets", list));
    return;
  }
  for (const [i, ruleset] of list.entries()) {
    const at = pointer(member, i);
    if (isJsonObject(ruleset)) readRuleset(reader, level, ruleset, at);
    else reader.problems.push(invalidValue(at, "a ruleset", "an object", ruleset));
  }
}

function readRuleset<E>(reader: Reader<E>, level: Level, given: JsonObject, at: string): void {
  const { problems } = reader;
  const { id, kind, phase, rules = [] } = given;
  readId(reader, id, at, reader.ids, "ruleset");
  checkEntryPoint(reader, level, given, at);
  if (phase !== customPhase) {
    readOther(reader, given, at);
    return;
  }
  const { entry } = levels[level];
  if (kind !== entry && kind !== "custom") problems.push(wrongKind(kind, level, at));
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  if (list !== rules) problems.push(invalidValue(`${at}/rules`, "`rules`", "an array of rules", rules));
  const read = {
    ruleset: given as JsonObject & Ruleset,
    rules: readRules(reader, level, list, `${at}/rules`),
    at,
  };
  for (const { id: executed, at: where } of executedBy(list, `${at}/rules`))
    reader.executes.push({ id: executed, at: where, by: read });
  if (kind === "custom") reader.executable.set(read.ruleset.id, read);
  else reader.entries[level] ??= read;
}

/** A phase has one entry point at each level. */
function checkEntryPoint<E>(
  { entryPoints, problems }: Reader<E>,
  level: Level,
  { id, kind, phase }: JsonObject,
  at: string,
): void {
  if (kind !== levels[level].entry || typeof phase !== "string") return;
  const key = `${level} ${phase}`;
  const first = entryPoints.get(key);
  if (first === undefined) entryPoints.set(key, String(id));
  else {
    const message = `The ruleset ${quote(first)} is the entry point of the phase ${quote(phase)} already; put the rules of both in one ruleset.`;
    problems.push(inputProblem(at, message));
  }
}

function wrongKind(kind: unknown, level: Level, at: string): CodedDiagnostic {
  const { entry } = levels[level];
  const clause = mustBe("`kind`", `\`${entry}\` (the entry point) or \`custom\``, kind);
  const other = Object.values(levels).find(
    (candidate) => candidate.entry === kind && candidate.entry !== entry,
  );
  const where = other === undefined ? "" : `; a ruleset of this kind belongs to ${other.owner}`;
  const known = (rulesetKinds as readonly unknown[]).includes(kind) || typeof kind !== "string";
  return inputProblem(`${at}/kind`, `${clause}${where}${known ? "" : didYouMean(kind, rulesetKinds)}`);
}

function readOther<E>(reader: Reader<E>, given: JsonObject, at: string): void {
  const { phase, rules = [] } = given;
  const where = `${at}/phase`;
  if (typeof phase !== "string" || !phases.includes(phase)) {
    const suggestion = typeof phase === "string" ? didYouMean(phase, phases) : "";
    const clause = mustBe("`phase`", `a phase such as \`${customPhase}\``, phase);
    reader.problems.push(inputProblem(where, `${clause}${suggestion}`));
    return;
  }
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  const found = otherExpressions(phase, list, `${at}/rules`);
  if (found !== undefined && list !== rules)
    reader.problems.push(invalidValue(`${at}/rules`, "`rules`", "an array of rules", rules));
  const expressions = found?.flatMap(({ kind, text, at: place }) => checkOther(reader, kind, text, place));
  reader.others.push({ ruleset: given as JsonObject & Ruleset, at, expressions });
  reader.notes.push(note("valueNoted", describePhase(phase, found), where));
}

function checkOther<E>(
  { check, problems }: Reader<E>,
  kind: RuleKind,
  text: unknown,
  at: string,
): CheckedExpression[] {
  const checked =
    typeof text === "string"
      ? check(kind, text, at)
      : failure(invalidValue(at, "an expression", "a string", text));
  if (checked.ok) return [{ at, ...checked.value }];
  append(problems, checked.problems);
  return [];
}

function readId<E>({ problems }: Reader<E>, id: unknown, at: string, ids: Set<string>, owner: string): void {
  if (typeof id !== "string" || id === "") {
    problems.push(invalidValue(`${at}/id`, `the id of a ${owner}`, "a non-empty string", id));
  } else if (ids.has(id)) {
    problems.push(inputProblem(`${at}/id`, `An earlier ${owner} has the id ${quote(id)} already.`));
  } else ids.add(id);
}

function readRules<E>(
  reader: Reader<E>,
  level: Level,
  rules: readonly unknown[],
  at: string,
): ReadCustomRule<E>[] {
  const ids = new Set<string>();
  return rules.flatMap((rule, i) => {
    const here = at + pointer(i);
    if (isJsonObject(rule)) return readRule(reader, level, rule, here, ids);
    reader.problems.push(invalidValue(here, "a rule", "an object", rule));
    return [];
  });
}

function readRule<E>(
  reader: Reader<E>,
  level: Level,
  given: JsonObject,
  at: string,
  ids: Set<string>,
): ReadCustomRule<E>[] {
  const { problems } = reader;
  readId(reader, given["id"], at, ids, "rule of this ruleset");
  const read = readAction(given["action"]);
  if ("allowed" in read)
    problems.push(invalidValue(`${at}/action`, "`action`", read.allowed, given["action"]));
  else {
    append(
      problems,
      checkParameters(read.action, level, given["action_parameters"], `${at}/action_parameters`),
    );
    append(problems, checkLogging(given, customActions[read.action].logging, at));
  }
  const { enabled = true, undecided, expression } = given;
  if (typeof enabled !== "boolean")
    problems.push(invalidValue(`${at}/enabled`, "`enabled`", "a boolean", enabled));
  if (undecided !== undefined && typeof undecided !== "string")
    problems.push(invalidValue(`${at}/undecided`, "`undecided`", "a string with the reason", undecided));
  const rule = given as JsonObject & CustomRule;
  if (undecided !== undefined) return [{ rule, expression: undefined, at }];
  const where = `${at}/expression`;
  if (typeof expression !== "string") {
    problems.push(invalidValue(where, "`expression`", "a string", expression));
    return [];
  }
  const parsed = reader.parse(expression, where);
  if (parsed.ok) return [{ rule, expression: parsed.value, at }];
  append(problems, parsed.problems);
  return [];
}

function checkLogging(rule: JsonObject, allowed: boolean, at: string): CodedDiagnostic[] {
  const { logging, action } = rule;
  if (logging === undefined || logging === null) return [];
  const where = `${at}/logging`;
  if (!allowed) {
    const message = `\`logging\` can be used with the action \`skip\` only; the action is ${quote(action)}.`;
    return [problem(20018, message, where)];
  }
  const enabled = isJsonObject(logging) ? logging["enabled"] : undefined;
  if (typeof enabled === "boolean") return [];
  return [invalidValue(where, "`logging`", "an object with `enabled`, a boolean", logging)];
}

function* executedBy(
  rules: readonly unknown[],
  at: string,
): Generator<{ readonly id: string; readonly at: string }> {
  for (const [i, rule] of rules.entries()) {
    if (!isJsonObject(rule) || rule["action"] !== "execute" || rule["undecided"] !== undefined) continue;
    const parameters = rule["action_parameters"];
    const id = isJsonObject(parameters) ? parameters["id"] : undefined;
    if (typeof id === "string" && id !== "") yield { id, at: `${at}${pointer(i)}/action_parameters/id` };
  }
}

/** Each executed ruleset is a custom one, and executes none itself (`chosen`), so that evaluation always ends. */
function checkExecutes<E>({ executes, executable, ids, problems }: Reader<E>): void {
  let evaluated = 0;
  for (const { id, at, by } of executes) {
    const target = executable.get(id);
    if (by.ruleset.kind === "custom") {
      problems.push(
        inputProblem(at, "Only an entry point can execute a ruleset; this ruleset has the kind `custom`."),
      );
    } else if (target !== undefined) evaluated += target.rules.length;
    else problems.push(inputProblem(at, unknownRuleset(id, ids, [...executable.keys()])));
  }
  if (evaluated > maxEvaluatedRules)
    problems.push(
      inputProblem(
        "",
        `The executed rulesets have ${evaluated} rules together; the maximum is ${maxEvaluatedRules}.`,
      ),
    );
}

function unknownRuleset(id: string, ids: ReadonlySet<string>, known: readonly string[]): string {
  if (ids.has(id))
    return `The ruleset ${quote(id)} must have the kind \`custom\` and the phase \`${customPhase}\``;
  const { listed, more } = { listed: known.slice(0, maxListed), more: known.length - maxListed };
  const all = `${listed.map(quote).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const others = known.length === 0 ? "; there is no custom ruleset" : `; the custom rulesets are ${all}`;
  return `No custom ruleset has the id ${quote(id)}${didYouMean(id, known) || others}`;
}
