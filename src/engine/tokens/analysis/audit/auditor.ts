/** Audits classes of requests: those of a documented operation that match one operation of the zone. */

import { decidingRuleId } from "../../verdict/decider.ts";
import type { Precedence } from "../../zone/evaluate-rules.ts";
import type { ReadingOptions, ReadOperation, ReadRule, ReadZone } from "../../zone/zone-input.ts";
import { evaluatedRules } from "../action-diagrams.ts";
import { type BoundConfigs, bindConfigs } from "../bound-expression.ts";
import { type AnalysisOptions, createMeters, type Meter } from "../budget.ts";
import type { RequestClass } from "../requests/partition.ts";
import { compileWithPlaceholders } from "../requests/reference-engine.ts";
import { readCustomPart } from "../rulesets/ruleset-part.ts";
import { type Answer, answerQuestion, type Contradiction, type QuestionedZone } from "./answer-question.ts";
import type { AuditedClass, AuditedRequest } from "./audit-result.ts";
import { isConstantOnPaths } from "./constant-paths.ts";
import { type DocumentedOperation, isPublic } from "./documented-operation.ts";
import { createSchemeReaders, requirementOf, type TokenRequirement } from "./token-requirement.ts";

/** Options of an audit. */
export interface AuditOptions extends AnalysisOptions, ReadingOptions {
  /** Which of several rules that match an operation count; `all` by default. */
  readonly precedence?: Precedence;
}

/** The security of an operation, as far as the zone can verify it. */
export interface ReadSecurity {
  /** Undefined for a public operation. */
  readonly requirement: TokenRequirement | undefined;
  /** Names of the schemes that no configuration reads, without repetition. */
  readonly unreadSchemes: readonly string[];
}

/** Audits a zone, class by class. */
export interface Auditor {
  /** Whether custom rules compare paths. */
  readonly readsPath: boolean;
  readSecurity(security: DocumentedOperation["security"]): ReadSecurity;
  audit(requestClass: RequestClass, security: ReadSecurity): AuditedClass;
}

/** The number of questions of an audit that can use up their limit: each operation is a question of its own. */
const maxExhaustedQuestions = 64;

/** Creates the auditor of a zone. The second zone of the classes must be this zone. */
export function createAuditor(read: ReadZone, options: AuditOptions): Auditor {
  const { precedence = "all" } = options;
  const configs = bindConfigs(read.configs);
  const readersOf = createSchemeReaders(configs);
  const custom = readCustomPart([{ read, configs }]);
  const readsPath = custom?.readsPath === true;
  const zone: QuestionedZone = {
    configs,
    custom,
    evaluate: compileWithPlaceholders(read, configs, precedence),
  };
  const answer = createAnswerer(zone, read.rules, createMeters(options, maxExhaustedQuestions));
  return {
    readsPath,
    readSecurity(security) {
      const schemes = security.flat().filter((scheme) => readersOf(scheme).length === 0);
      const unreadSchemes = [...new Set(schemes.map(({ name }) => name))];
      if (isPublic({ security })) return { requirement: undefined, unreadSchemes };
      return { requirement: requirementOf(security, readersOf) ?? [[[...configs.values()]]], unreadSchemes };
    },
    audit({ operations, rules, ...requestClass }, { requirement }) {
      const evaluated = evaluatedRules(rules[1], precedence);
      const asked = readsPath ? requestClass : withOnePath(requestClass, operations[0], evaluated, configs);
      const answered = answer(asked, evaluated, requirement);
      const id = operations[1]?.operation.operation_id;
      return { ...(id !== undefined && { zoneOperation: id }), answer: describeAnswer(zone, answered) };
    },
  };
}

type Requests = Pick<RequestClass, "assumptions" | "equivalenceKey">;

/** One path is enough when no comparison of the rules can distinguish the paths of the documented operation. */
function withOnePath(
  requests: Requests,
  documented: ReadOperation | undefined,
  rules: readonly ReadRule[],
  configs: BoundConfigs,
): Requests {
  const { assumptions, equivalenceKey } = requests;
  const [path] = assumptions["http.request.uri.path"]?.preferred ?? [];
  if (equivalenceKey !== undefined || documented === undefined || path === undefined) return requests;
  const isConstant = ({ expression }: ReadRule) =>
    isConstantOnPaths(expression, configs, documented.segments);
  if (!rules.every(isConstant)) return requests;
  const key = JSON.stringify([documented.host, documented.method, "no path is equal to a compared one"]);
  return {
    assumptions: { ...assumptions, "http.request.uri.path": { values: [path] } },
    equivalenceKey: key,
  };
}

type AnswerClass = (
  requests: Requests,
  rules: readonly ReadRule[],
  requirement: TokenRequirement | undefined,
) => Answer;

/** Answers of classes that differ in their paths only are reused. */
function createAnswerer(
  zone: QuestionedZone,
  allRules: readonly ReadRule[],
  nextMeter: () => Meter,
): AnswerClass {
  const numbers = new Map(allRules.map((rule, i) => [rule, i] as const));
  const answers = new Map<string, Answer>();
  return ({ assumptions, equivalenceKey }, rules, requirement) => {
    const parts = requirement?.map((schemes) => schemes.map((readers) => readers.map(({ id }) => id)));
    const key =
      equivalenceKey &&
      JSON.stringify([equivalenceKey, rules.map((rule) => numbers.get(rule)), parts ?? null]);
    const known = key === undefined ? undefined : answers.get(key);
    const [path] = assumptions["http.request.uri.path"]?.values ?? [];
    if (known !== undefined && path !== undefined) return atPath(known, path);
    const answer = answerQuestion(zone, { assumptions, rules, requirement }, nextMeter());
    if (key !== undefined) answers.set(key, answer);
    return answer;
  };
}

/** The answer about requests to another path that the same rules match, none of which compares paths. */
function atPath(answer: Answer, path: string): Answer {
  if (answer.kind !== "found") return answer;
  const { contradiction } = answer;
  const { request } = contradiction.concrete;
  const url = new URL(request.url).origin + path;
  const concrete = { ...contradiction.concrete, request: { ...request, url } };
  return { kind: "found", contradiction: { ...contradiction, concrete } };
}

function describeAnswer(zone: QuestionedZone, answer: Answer): AuditedClass["answer"] {
  if (answer.kind !== "found") return answer;
  return { kind: "found", contradiction: describeContradiction(zone, answer.contradiction) };
}

function describeContradiction(
  { evaluate }: QuestionedZone,
  { concrete, states, action }: Contradiction,
): AuditedRequest {
  const { request, placeholderTokens, timeMs } = concrete;
  const verdict = evaluate(concrete);
  const { operation } = verdict;
  const rule = decidingRuleId(verdict);
  return {
    request,
    placeholderTokens,
    ...(timeMs !== undefined && { timeMs }),
    action,
    ...(rule !== undefined && { rule }),
    ...(operation && { operationId: operation.operation_id }),
    tokens: states,
  };
}
