/** Reads and checks the input that a zone is compiled from: all problems at once, each with its pointer. */

import { anyValue, type KindsOf, optional, optionGroup } from "../../../core/arguments.ts";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";
import { append } from "../../../core/lists.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { type CodedDiagnostic, pointer, quote } from "../../../errors.ts";
import type { CompiledCustom } from "../expression/compile.ts";
import type { Program } from "../expression/compile-value.ts";
import { type ExpressionLimits, limitMembers, type ReadExpression } from "../expression/grammar.ts";
import { readExpression } from "../expression/parser.ts";
import { unknownReferences } from "../expression/references.ts";
import type { ExpressionError } from "../expression/syntax-error.ts";
import type { Expression } from "../expression/tree.ts";
import { inputProblem, invalidValue, problemAtLine } from "../input-problem.ts";
import { importKeys } from "../jwt/keys/key-set.ts";
import type { JwtKey, Operation, Selector, TokenConfig, TokenRule } from "../model.ts";
import { earlierFormRemarks } from "../remarks/earlier-forms.ts";
import { isRejected, type RemarkKind } from "../remarks/remark.ts";
import { memberRemarks, ruleMemberRemarks } from "../remarks/unknown-members.ts";
import { operationRemarks, selectorRemarks, templateRemarks } from "../remarks/unmatchable.ts";
import { createCustomRulesReader } from "../rulesets/input/read-custom-rules.ts";
import { type RuleList, readLists } from "../rulesets/input/read-lists.ts";
import type { ReadRulesets } from "../rulesets/input/read-rulesets.ts";
import { readZoneFacts, type ZonePlan } from "../rulesets/input/zone-facts.ts";
import type { Ruleset } from "../rulesets/model.ts";
import { planNeeds } from "../rulesets/plans/plan-needs.ts";
import { configRemarks, planRemarks } from "../rulesets/plans/plan-remarks.ts";
import { normalizeHostTemplate } from "./host-template.ts";
import { parseTemplate, type Segment } from "./path-template.ts";
import { routePattern } from "./router.ts";
import { checkSelector, excludedIds, includedHosts } from "./selector.ts";
import { checkTokenSources, type HeaderCase, parseTokenSource, type TokenSource } from "./token-source.ts";
import {
  checkUrlNormalization,
  type PathNormalization,
  pathNormalizationOf,
  type UrlNormalization,
} from "./url-normalization.ts";

/** The input that a zone is compiled from. */
export interface ZoneInput {
  /** Token configurations with unique ids. */
  readonly configs: readonly TokenConfig[];
  /** Rules with unique ids, in order of evaluation. */
  readonly rules: readonly TokenRule[];
  /** Absent: each request is its own operation on its host. Empty: no request is an operation. */
  readonly operations?: readonly Operation[];
  /** The zone's rulesets of custom rules: its entry point, of kind `zone`, and those that are executed. */
  readonly rulesets?: readonly Ruleset[];
  /** The account's rulesets: its entry point, of kind `root`, and those that are executed. */
  readonly account_rulesets?: readonly Ruleset[];
  /** The domain of the zone, which custom rules read as `cf.zone.name`; without it the field is unknown. */
  readonly name?: string;
  /** The plan of the zone, which custom rules read as `cf.zone.plan`; without it the field is unknown. */
  readonly plan?: ZonePlan;
  /** The lists that custom rules name as `$name`, by name. One that is not given is unknown. */
  readonly lists?: Readonly<Record<string, RuleList>>;
  /** How the path of a URL is normalized before any rule reads it. Absent: the default of the profile. */
  readonly url_normalization?: UrlNormalization;
}

/** Options of reading a zone. */
export interface ReadingOptions {
  /** Whether header names in token sources may have upper-case letters; `any` by default. */
  readonly headerCase?: HeaderCase;
  /** Limits of each expression. */
  readonly limits?: ExpressionLimits;
  /**
   * Whether hosts, methods and endpoints that cannot match, and what the plan of the zone does not have, are notes or
   * problems, as with the provider; `note` by default.
   */
  readonly restrictions?: "note" | "enforce";
  /** Whether keys that have none of the formats are rejected, or adjusted with a note; `reject` by default. */
  readonly invalidKeys?: "reject" | "adjust";
  /** Whether shared secrets can be keys; `accept` by default, except for `checkZone`, where it is `reject`. */
  readonly sharedSecrets?: "reject" | "accept";
  /** The normalization of the paths of a zone without `url_normalization`; `none` by default. */
  readonly urlNormalization?: PathNormalization;
}

/** The members of `ReadingOptions`, for functions that have them among their options. */
export const readingMembers: KindsOf<ReadingOptions> = {
  headerCase: anyValue,
  limits: optional(optionGroup<ExpressionLimits>("limits", limitMembers)),
  restrictions: anyValue,
  invalidKeys: anyValue,
  sharedSecrets: anyValue,
  urlNormalization: anyValue,
};

/** A configuration with its keys and sources parsed. */
export interface ReadConfig {
  readonly id: string;
  readonly title?: string;
  readonly keys: readonly JwtKey[];
  readonly sources: readonly TokenSource[];
}

/** A rule with its expression and selector parsed. */
export interface ReadRule {
  readonly rule: TokenRule;
  readonly expression: Expression;
  /** In normal form; with variables, the host of operations with the same template. */
  readonly hosts: readonly string[];
  readonly excluded: readonly string[];
}

/** An operation with its route parsed. */
export interface ReadOperation {
  readonly operation: Operation;
  /** In normal form; may have variables. */
  readonly host: string;
  readonly method: string;
  readonly segments: readonly Segment[];
}

/** A zone without problems. */
export interface ReadZone {
  readonly notes: readonly Diagnostic[];
  /** The notes about values that are probably a mistake. */
  readonly remarks: readonly Diagnostic<RemarkKind>[];
  readonly configs: readonly ReadConfig[];
  readonly rules: readonly ReadRule[];
  readonly operations: readonly ReadOperation[] | undefined;
  /** Undefined when the zone and its account have none. */
  readonly custom: ReadCustomRules | undefined;
  readonly normalization: PathNormalization;
}

/** The custom rules of a zone without problems. */
export interface ReadCustomRules {
  readonly rulesets: ReadRulesets<CompiledCustom>;
  readonly program: Program;
}

/** The parts read so far; rules and configurations with problems are left out. */
interface ZoneReader {
  readonly options: ReadingOptions;
  readonly problems: CodedDiagnostic[];
  readonly notes: Diagnostic[];
  readonly remarks: Diagnostic<RemarkKind>[];
  readonly configs: ReadConfig[];
  readonly rules: ReadRule[];
  /** The selectors of the rules, with their pointers. */
  readonly selectors: { readonly selector: Selector; readonly at: string }[];
  operations: ReadOperation[] | undefined;
}

const actions: readonly unknown[] = ["log", "block"];

/** Reads a zone. Never throws, whatever the input is; a failure has every problem. */
export function readZone(input: unknown, options: ReadingOptions = {}): Result<ReadZone> {
  if (!isJsonObject(input)) return failure(invalidValue("", "the zone", "an object", input));
  const reader = createReader(options);
  const ids = readConfigs(reader, input["configs"]);
  readRules(reader, input["rules"], ids);
  if (input["operations"] !== undefined) reader.operations = readOperations(reader, input["operations"]);
  readTemplates(reader);
  const custom = readCustomRules(reader, input, ids);
  const normalization = readNormalization(reader, input["url_normalization"]);
  const { problems, notes, remarks, configs, rules, operations } = reader;
  const [first] = problems;
  if (first === undefined) {
    const read = { notes: [...notes, ...remarks], remarks, configs, rules, operations, custom };
    return success({ ...read, normalization });
  }
  // Not `failure(...problems)`: as arguments of one call, very many would exhaust the call stack.
  return { ok: false, problems: problems as [CodedDiagnostic, ...CodedDiagnostic[]] };
}

function createReader(options: ReadingOptions): ZoneReader {
  return {
    options,
    problems: [],
    notes: [],
    remarks: [],
    configs: [],
    rules: [],
    selectors: [],
    operations: undefined,
  };
}

/** Adds remarks; where restrictions are enforced, those on what the provider rejects are problems. */
function addRemarks(reader: ZoneReader, remarks: readonly Diagnostic<RemarkKind>[]): void {
  for (const remark of remarks) {
    const isProblem = reader.options.restrictions === "enforce" && isRejected(remark.rule);
    if (isProblem) reader.problems.push(inputProblem(remark.pointer ?? "", remark.message));
    else reader.remarks.push(remark);
  }
}

/** Remarks on templates of hosts in selectors, once the operations are known. */
function readTemplates(reader: ZoneReader): void {
  const known = new Set(reader.operations?.map(({ host }) => host));
  for (const { selector, at } of reader.selectors) addRemarks(reader, templateRemarks(selector, known, at));
}

/** Reads the configurations; returns all their ids, also of those with problems. */
function readConfigs(reader: ZoneReader, configs: unknown): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [config, at] of objectsOf(reader, "configs", configs)) {
    const id = readId(reader, config["id"], `${at}/id`, "configuration", ids);
    addRemarks(reader, memberRemarks("config", config, at));
    const sources = readSources(reader, config["token_sources"], `${at}/token_sources`);
    const keys = readKeys(reader, config["credentials"], `${at}/credentials/keys`);
    const { title } = config;
    const named = typeof title === "string" ? { title } : {};
    if (id !== undefined) reader.configs.push({ id, ...named, keys, sources });
  }
  return ids;
}

function readSources(reader: ZoneReader, sources: unknown, at: string): TokenSource[] {
  const { problems, notes } = checkTokenSources(sources, { headerCase: reader.options.headerCase, at });
  append(reader.problems, problems);
  append(reader.notes, notes);
  if (!Array.isArray(sources) || problems.length > 0) return [];
  return sources.flatMap((source: string) => {
    const parsed = parseTokenSource(source);
    return parsed.ok ? [parsed.value] : [];
  });
}

function readKeys(reader: ZoneReader, credentials: unknown, at: string): readonly JwtKey[] {
  const keys = isJsonObject(credentials) ? credentials["keys"] : undefined;
  const imported = importKeys(keys, {
    mode: reader.options.invalidKeys ?? "reject",
    sharedSecrets: reader.options.sharedSecrets ?? "accept",
    pointer: at,
    maxKeys: Number.MAX_SAFE_INTEGER,
  });
  if (!imported.ok) {
    append(reader.problems, imported.problems);
    return [];
  }
  append(reader.notes, imported.value.notes);
  return imported.value.keys;
}

function readRules(reader: ZoneReader, rules: unknown, configIds: ReadonlySet<string>): void {
  const ids = new Set<string>();
  const parse = createExpressionReader(reader.options.limits, configIds);
  for (const [rule, at] of objectsOf(reader, "rules", rules)) {
    readId(reader, rule["id"], `${at}/id`, "rule", ids);
    const expression = parse(rule["expression"], `${at}/expression`);
    const problems = [
      ...checkAction(rule, at),
      ...checkSelector(rule["selector"], `${at}/selector`),
      ...(expression.ok ? [] : expression.problems),
    ];
    append(reader.problems, problems);
    addRemarks(reader, ruleMemberRemarks(rule, at));
    if (problems.length > 0 || !expression.ok) continue;
    const copy = copyRule(rule as JsonObject & TokenRule);
    const { selector } = copy;
    const selectorAt = `${at}/selector`;
    addRemarks(reader, selectorRemarks(selector, selectorAt));
    addRemarks(reader, earlierFormRemarks(copy.expression, expression.value, `${at}/expression`));
    reader.selectors.push({ selector, at: selectorAt });
    const read = { hosts: includedHosts(selector), excluded: excludedIds(selector) };
    reader.rules.push({ rule: copy, expression: expression.value.expression, ...read });
  }
}

/** Reads lists and rulesets; undefined when none are given. */
function readCustomRules(
  reader: ZoneReader,
  { rulesets, account_rulesets, lists, name, plan }: JsonObject,
  configurations: ReadonlySet<string>,
): ReadCustomRules | undefined {
  const given = readLists(lists);
  append(reader.problems, given.problems);
  addRemarks(reader, given.remarks);
  const zone = readZoneFacts({ name, plan });
  append(reader.problems, zone.problems);
  addRemarks(reader, configRemarks(configurations.size, zone.plan));
  if (rulesets === undefined && account_rulesets === undefined) return undefined;
  const custom = createCustomRulesReader({
    configurations,
    lists: given.lists,
    zone: zone.facts,
    limits: reader.options.limits,
  });
  const reading = custom.read({ rulesets, account_rulesets });
  append(reader.problems, reading.problems);
  append(reader.notes, reading.notes);
  addRemarks(reader, planRemarks(planNeeds(reading.read), zone.plan));
  return { rulesets: reading.read, program: custom.program };
}

function readNormalization(reader: ZoneReader, setting: unknown): PathNormalization {
  if (setting === undefined) return reader.options.urlNormalization ?? "none";
  const problems = checkUrlNormalization(setting, "/url_normalization");
  append(reader.problems, problems);
  return problems.length > 0 ? "none" : pathNormalizationOf(setting as UrlNormalization);
}

function checkAction({ action, enabled }: JsonObject, at: string): CodedDiagnostic[] {
  const problems: CodedDiagnostic[] = [];
  if (!actions.includes(action))
    problems.push(invalidValue(`${at}/action`, "`action`", "`log` or `block`", action));
  if (typeof enabled !== "boolean")
    problems.push(invalidValue(`${at}/enabled`, "`enabled`", "a boolean", enabled));
  return problems;
}

/** Parses equal expressions once. */
function createExpressionReader(
  limits: ExpressionLimits | undefined,
  configIds: ReadonlySet<string>,
): (text: unknown, at: string) => Result<ReadExpression> {
  const parsed = new Map<string, Result<ReadExpression, ExpressionError>>();
  return (text, at) => {
    if (typeof text !== "string") return failure(invalidValue(at, "`expression`", "a string", text));
    const result = parsed.get(text) ?? readExpression(text, limits);
    parsed.set(text, result);
    if (!result.ok) return failure(problemAtLine(result.problems[0], at));
    const [first, ...rest] = unknownReferences(text, result.value.expression, (id) => configIds.has(id));
    if (first === undefined) return result;
    return failure(problemAtLine(first, at), ...rest.map((error) => problemAtLine(error, at)));
  };
}

function copyRule(rule: TokenRule): TokenRule {
  const { id, title, action, enabled, expression, selector } = rule;
  const named = typeof title === "string" ? { title } : {};
  return Object.freeze({ id, ...named, action, enabled, expression, selector: copySelector(selector) });
}

/** Copies only the members of a selector: others need not be data. */
function copySelector({ include, exclude }: Selector): Selector {
  return {
    ...(include && { include: include.map(({ host }) => (host ? { host: [...host] } : {})) }),
    ...(exclude && {
      exclude: exclude.map(({ operation_ids: ids }) => (ids ? { operation_ids: [...ids] } : {})),
    }),
  };
}

function readOperations(reader: ZoneReader, operations: unknown): ReadOperation[] {
  const ids = new Set<string>();
  const routes = new Map<string, string>();
  const read: ReadOperation[] = [];
  for (const [operation, at] of objectsOf(reader, "operations", operations)) {
    readId(reader, operation["operation_id"], `${at}/operation_id`, "operation", ids);
    // An empty method or host cannot match, which is noted or rejected with the others (`spec`).
    const problems = [
      ...["method", "host"]
        .filter((member) => typeof operation[member] !== "string")
        .map((member) => [member, "a string"] as const),
      ...(isNonEmptyString(operation["endpoint"]) ? [] : [["endpoint", "a non-empty string"] as const]),
    ].map(([member, expected]) =>
      invalidValue(at + pointer(member), `\`${member}\``, expected, operation[member]),
    );
    append(reader.problems, problems);
    addRemarks(reader, memberRemarks("operation", operation, at));
    if (problems.length > 0) continue;
    addRemarks(reader, operationRemarks(operation as JsonObject & Operation, at));
    const route = readRoute(operation as JsonObject & Operation, at, routes);
    if (route.ok) read.push(route.value);
    else append(reader.problems, route.problems);
  }
  return read;
}

/** @param routes the ids of the operations so far, by what they match; the operation is added */
function readRoute(given: Operation, at: string, routes: Map<string, string>): Result<ReadOperation> {
  const { operation_id, method, host, endpoint } = given;
  const template = parseTemplate(endpoint, `${at}/endpoint`);
  if (!template.ok) return template;
  const route = { host: normalizeHostTemplate(host), method: method.toUpperCase(), segments: template.value };
  const key = JSON.stringify([route.host, route.method, routePattern(route.segments)]);
  const same = routes.get(key);
  routes.set(key, operation_id);
  if (same !== undefined) {
    return failure(inputProblem(at, `The operation ${quote(same)} already matches the same requests.`));
  }
  return success({ operation: Object.freeze({ operation_id, method, host, endpoint }), ...route });
}

function readId(
  reader: ZoneReader,
  id: unknown,
  at: string,
  owner: string,
  ids: Set<string>,
): string | undefined {
  if (!isNonEmptyString(id)) {
    reader.problems.push(invalidValue(at, `the id of a ${owner}`, "a non-empty string", id));
    return undefined;
  }
  if (ids.has(id))
    reader.problems.push(inputProblem(at, `An earlier ${owner} has the id ${quote(id)} already.`));
  ids.add(id);
  return id;
}

/** The objects of a list with their pointers; reports a list that is not an array, and elements of other types. */
function* objectsOf(reader: ZoneReader, member: string, list: unknown): Generator<[JsonObject, string]> {
  if (!Array.isArray(list)) {
    reader.problems.push(invalidValue(pointer(member), `\`${member}\``, "an array", list));
    return;
  }
  for (const [i, element] of list.entries()) {
    const at = pointer(member, i);
    if (isJsonObject(element)) yield [element, at];
    else reader.problems.push(invalidValue(at, `an element of \`${member}\``, "an object", element));
  }
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
