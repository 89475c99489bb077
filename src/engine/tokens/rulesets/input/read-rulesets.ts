/** Reads and checks the rulesets of an account and a zone: all problems at once, each with its pointer. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json-value.ts";
import type { Result } from "../../../../core/result.ts";
import { didYouMean } from "../../../../core/suggest.ts";
import { type CodedDiagnostic, note, pointer, problem, quote } from "../../../../errors.ts";
import { inputProblem, invalidValue, mustBe } from "../../input-problem.ts";
import { customActions, readAction } from "../actions.ts";
import { type CustomRule, customPhase, type Ruleset, type RulesetKind, rulesetKinds } from "../model.ts";
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

/** Rulesets without problems. */
export interface ReadRulesets<E> {
  readonly entries: Readonly<Partial<Record<Level, ReadRuleset<E>>>>;
  /** The rulesets that an entry point may execute, by id. */
  readonly executable: ReadonlyMap<string, ReadRuleset<E>>;
  /** The rulesets of other phases. */
  readonly others: readonly Pick<ReadRuleset<E>, "ruleset" | "at">[];
}

/** The rulesets of a zone as given, of any shape. */
export interface RulesetsInput {
  readonly account_rulesets?: unknown;
  readonly rulesets?: unknown;
}

/** Parses the expression of a rule at a pointer; a failure has all its problems. */
export type ParseExpression<E> = (text: string, at: string) => Result<E>;

interface Reader<E> {
  readonly parse: ParseExpression<E>;
  readonly problems: CodedDiagnostic[];
  readonly notes: Diagnostic[];
  readonly ids: Set<string>;
  readonly entries: Partial<Record<Level, ReadRuleset<E>>>;
  readonly executable: Map<string, ReadRuleset<E>>;
  readonly others: Pick<ReadRuleset<E>, "ruleset" | "at">[];
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
export function readRulesets<E>(input: RulesetsInput, parse: ParseExpression<E>): RulesetsReading<E> {
  const reader: Reader<E> = {
    parse,
    problems: [],
    notes: [],
    ids: new Set(),
    entries: {},
    executable: new Map(),
    others: [],
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
  checkPhase(reader, phase, at);
  if (phase !== customPhase) {
    reader.others.push({ ruleset: given as JsonObject & Ruleset, at });
    return;
  }
  const { entry } = levels[level];
  if (kind !== entry && kind !== "custom") problems.push(wrongKind(kind, level, at));
  if (kind === entry && reader.entries[level] !== undefined) {
    const first = quote(reader.entries[level].ruleset.id);
    problems.push(inputProblem(at, `The ruleset ${first} is the entry point of this phase already.`));
  }
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  if (list !== rules) problems.push(invalidValue(`${at}/rules`, "`rules`", "an array of rules", rules));
  const read = { ruleset: given as JsonObject & Ruleset, rules: readRules(reader, list, `${at}/rules`), at };
  for (const { id: executed, at: where } of executedBy(list, `${at}/rules`))
    reader.executes.push({ id: executed, at: where, by: read });
  if (kind === "custom") reader.executable.set(read.ruleset.id, read);
  else reader.entries[level] ??= read;
}

function wrongKind(kind: unknown, level: Level, at: string): CodedDiagnostic {
  const { entry } = levels[level];
  const clause = mustBe("`kind`", `\`${entry}\` (the entry point) or \`custom\``, kind);
  const other = Object.values(levels).find((one) => one.entry === kind && one.entry !== entry);
  const where = other === undefined ? "" : `; a ruleset of this kind belongs to ${other.owner}`;
  const known = (rulesetKinds as readonly unknown[]).includes(kind) || typeof kind !== "string";
  return inputProblem(`${at}/kind`, `${clause}${where}${known ? "" : didYouMean(kind, rulesetKinds)}`);
}

function checkPhase<E>({ problems, notes }: Reader<E>, phase: unknown, at: string): void {
  if (phase === customPhase) return;
  const where = `${at}/phase`;
  if (typeof phase === "string" && phases.includes(phase)) {
    const message = `The rules of the phase ${quote(phase)} are not evaluated; those of \`${customPhase}\` are.`;
    notes.push(note("valueNoted", message, where));
    return;
  }
  const suggestion = typeof phase === "string" ? didYouMean(phase, phases) : "";
  const clause = mustBe("`phase`", `a phase such as \`${customPhase}\``, phase);
  problems.push(inputProblem(where, `${clause}${suggestion}`));
}

function readId<E>({ problems }: Reader<E>, id: unknown, at: string, ids: Set<string>, owner: string): void {
  if (typeof id !== "string" || id === "") {
    problems.push(invalidValue(`${at}/id`, `the id of a ${owner}`, "a non-empty string", id));
  } else if (ids.has(id)) {
    problems.push(inputProblem(`${at}/id`, `An earlier ${owner} has the id ${quote(id)} already.`));
  } else ids.add(id);
}

function readRules<E>(reader: Reader<E>, rules: readonly unknown[], at: string): ReadCustomRule<E>[] {
  const ids = new Set<string>();
  return rules.flatMap((rule, i) => {
    const here = at + pointer(i);
    if (isJsonObject(rule)) return readRule(reader, rule, here, ids);
    reader.problems.push(invalidValue(here, "a rule", "an object", rule));
    return [];
  });
}

function readRule<E>(
  reader: Reader<E>,
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
    append(problems, checkParameters(read.action, given["action_parameters"], `${at}/action_parameters`));
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

/** One by one: as arguments of one call, very many would exhaust the call stack. */
function append<Item>(to: Item[], items: readonly Item[]): void {
  for (const item of items) to.push(item);
}
