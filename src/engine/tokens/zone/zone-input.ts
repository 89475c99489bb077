/** Reads and checks what a zone is compiled from: every problem at once, each with its pointer. */

import { type Note, type Problem, pointer, quote } from "../../../errors.ts";
import type { Expression } from "../expression/ast.ts";
import { type ExpressionLimits, type ParsedExpression, parseExpression } from "../expression/parser.ts";
import { checkReferences } from "../expression/references.ts";
import type { ExpressionError } from "../expression/syntax-error.ts";
import { importKeys } from "../jwt/keys/key-set.ts";
import type { JwtKey, Operation, Selector, TokenConfig, TokenRule } from "../model.ts";
import { parseTemplate, type Segment } from "./path-template.ts";
import { routePattern } from "./router.ts";
import { checkSelector, excludedIds, includedHosts } from "./selector.ts";
import { normalizeHost } from "./target.ts";
import { checkTokenSources, type HeaderCase, parseTokenSource, type TokenSource } from "./token-source.ts";

/** What a zone is compiled from. */
export interface ZoneInput {
  readonly configs: readonly TokenConfig[];
  /** In order of evaluation. */
  readonly rules: readonly TokenRule[];
  /** Absent: each request is an operation of its own on its host. Empty: no request is an operation. */
  readonly operations?: readonly Operation[];
}

/** What of the options bears on reading a zone. */
export interface ReadingOptions {
  readonly headerCase?: HeaderCase;
  readonly limits?: ExpressionLimits;
}

/** A configuration with its keys and sources read. */
export interface ReadConfig {
  readonly id: string;
  readonly keys: readonly JwtKey[];
  readonly sources: readonly TokenSource[];
}

/** A rule with its expression and selector read. */
export interface ReadRule {
  readonly rule: TokenRule;
  readonly expression: Expression;
  readonly hosts: readonly string[];
  readonly excluded: readonly string[];
}

/** An operation with its route read. */
export interface ReadOperation {
  readonly operation: Operation;
  readonly host: string;
  readonly method: string;
  readonly segments: readonly Segment[];
}

/** A zone as it was read; complete only when there are no problems. */
export interface ReadZone {
  readonly problems: Problem[];
  readonly notes: Note[];
  readonly configs: ReadConfig[];
  readonly rules: ReadRule[];
  operations: ReadOperation[] | undefined;
}

type UncheckedObject = Record<string, unknown>;

const actions: readonly unknown[] = ["log", "block"];

/** Reads a zone. Never throws on any input. */
export function readZone(input: unknown, options: ReadingOptions = {}): ReadZone {
  const zone: ReadZone = { problems: [], notes: [], configs: [], rules: [], operations: undefined };
  if (!isObject(input)) {
    report(zone, "", `A zone is an object with configs and rules, but it is ${quote(input)}.`);
    return zone;
  }
  const ids = readConfigs(zone, input["configs"], options);
  readRules(zone, input["rules"], ids, options);
  if (input["operations"] !== undefined) readOperations(zone, input["operations"]);
  return zone;
}

/** Reads the configurations, and gives all their ids, those of faulty ones too. */
function readConfigs(zone: ReadZone, configs: unknown, options: ReadingOptions): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [config, at] of entries(zone, "configs", configs)) {
    const id = readId(zone, config["id"], `${at}/id`, "configuration", ids);
    const sources = checkTokenSources(config["token_sources"], { ...options, at: `${at}/token_sources` });
    const keys = readKeys(config["credentials"], `${at}/credentials`);
    addAll(zone.problems, sources.problems, keys.problems);
    addAll(zone.notes, sources.notes, keys.notes);
    if (id === undefined || sources.problems.length > 0) continue;
    const texts = config["token_sources"] as readonly string[];
    zone.configs.push({ id, keys: keys.keys, sources: texts.flatMap(readSource) });
  }
  return ids;
}

function readKeys(credentials: unknown, at: string): ReturnType<typeof importKeys> {
  const keys = isObject(credentials) ? credentials["keys"] : undefined;
  return importKeys(keys, { mode: "reject", pointer: `${at}/keys`, maxKeys: Number.MAX_SAFE_INTEGER });
}

function readSource(text: string): TokenSource[] {
  const parsed = parseTokenSource(text);
  return parsed.ok ? [parsed.source] : [];
}

function readRules(
  zone: ReadZone,
  rules: unknown,
  configIds: ReadonlySet<string>,
  options: ReadingOptions,
): void {
  const ids = new Set<string>();
  const parsed = new Map<string, ParsedExpression>();
  for (const [rule, at] of entries(zone, "rules", rules)) {
    readId(zone, rule["id"], `${at}/id`, "rule", ids);
    checkAction(zone, rule, at);
    const problems = checkSelector(rule["selector"], `${at}/selector`);
    addAll(zone.problems, problems);
    const expression = readExpression(
      zone,
      rule["expression"],
      `${at}/expression`,
      configIds,
      parsed,
      options,
    );
    if (expression === undefined || problems.length > 0) continue;
    const copy = copyRule(rule as UncheckedObject & TokenRule);
    const { selector } = copy;
    const read = { hosts: includedHosts(selector), excluded: excludedIds(selector) };
    zone.rules.push({ rule: copy, expression, ...read });
  }
}

function checkAction(zone: ReadZone, { action, enabled }: UncheckedObject, at: string): void {
  if (!actions.includes(action)) {
    report(zone, `${at}/action`, `action is \`log\` or \`block\`, but it is ${quote(action)}.`);
  }
  if (typeof enabled !== "boolean") {
    report(zone, `${at}/enabled`, `enabled is true or false, but it is ${quote(enabled)}.`);
  }
}

function readExpression(
  zone: ReadZone,
  text: unknown,
  at: string,
  configIds: ReadonlySet<string>,
  parsed: Map<string, ParsedExpression>,
  options: ReadingOptions,
): Expression | undefined {
  if (typeof text !== "string") {
    report(zone, at, `expression is a string, but it is ${quote(text)}.`);
    return undefined;
  }
  const result = parsed.get(text) ?? parseExpression(text, options.limits);
  parsed.set(text, result);
  const errors = result.ok
    ? checkReferences(text, result.expression, (id) => configIds.has(id))
    : [result.error];
  for (const error of errors) report(zone, at, inLine(error));
  return result.ok && errors.length === 0 ? result.expression : undefined;
}

function inLine({ message, line, column }: ExpressionError): string {
  return `At line ${line}, column ${column} of the expression: ${message}`;
}

function copyRule(rule: TokenRule): TokenRule {
  const { id, title, action, enabled, expression, selector } = rule;
  const named = typeof title === "string" ? { title } : {};
  return Object.freeze({ id, ...named, action, enabled, expression, selector: copySelector(selector) });
}

/** Only what a selector has: whatever else there is need not be data. */
function copySelector({ include, exclude }: Selector): Selector {
  return {
    ...(include && { include: include.map(({ host }) => (host ? { host: [...host] } : {})) }),
    ...(exclude && {
      exclude: exclude.map(({ operation_ids: ids }) => (ids ? { operation_ids: [...ids] } : {})),
    }),
  };
}

function readOperations(zone: ReadZone, operations: unknown): void {
  const ids = new Set<string>();
  const routes = new Map<string, string>();
  zone.operations = [];
  for (const [operation, at] of entries(zone, "operations", operations)) {
    readId(zone, operation["operation_id"], `${at}/operation_id`, "operation", ids);
    const strings = ["method", "host", "endpoint"].filter((member) => !isText(operation[member]));
    for (const member of strings) {
      report(
        zone,
        at + pointer(member),
        `${member} is a non-empty string, but it is ${quote(operation[member])}.`,
      );
    }
    if (strings.length === 0) readRoute(zone, operation as UncheckedObject & Operation, at, routes);
  }
}

function readRoute(zone: ReadZone, given: Operation, at: string, routes: Map<string, string>): void {
  const { operation_id, method, host, endpoint } = given;
  const template = parseTemplate(endpoint);
  if (!template.ok) {
    report(zone, `${at}/endpoint`, template.message);
    return;
  }
  const route = { host: normalizeHost(host), method: method.toUpperCase(), segments: template.segments };
  const key = JSON.stringify([route.host, route.method, routePattern(route.segments)]);
  const same = routes.get(key);
  if (same !== undefined) report(zone, at, `The operation ${quote(same)} already matches the same requests.`);
  routes.set(key, operation_id);
  const operation = Object.freeze({ operation_id, method, host, endpoint });
  zone.operations?.push({ operation, ...route });
}

function readId(zone: ReadZone, id: unknown, at: string, what: string, ids: Set<string>): string | undefined {
  if (!isText(id)) {
    report(zone, at, `The id of a ${what} is a non-empty string, but it is ${quote(id)}.`);
    return undefined;
  }
  if (ids.has(id)) report(zone, at, `The id ${quote(id)} belongs to an earlier ${what} already.`);
  ids.add(id);
  return id;
}

function* entries(zone: ReadZone, member: string, list: unknown): Generator<[UncheckedObject, string]> {
  if (!Array.isArray(list)) {
    report(zone, pointer(member), `${member} is an array, but it is ${quote(list)}.`);
    return;
  }
  for (const [i, entry] of list.entries()) {
    const at = pointer(member, i);
    if (isObject(entry)) yield [entry, at];
    else report(zone, at, `An entry of ${member} is an object, but it is ${quote(entry)}.`);
  }
}

/** One by one: as arguments of one call, very many would exhaust the call stack. */
function addAll<Item>(to: Item[], ...lists: readonly (readonly Item[])[]): void {
  for (const list of lists) for (const item of list) to.push(item);
}

function report(zone: ReadZone, at: string, message: string): void {
  zone.problems.push({ code: 10400, pointer: at, message });
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isObject(value: unknown): value is UncheckedObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
