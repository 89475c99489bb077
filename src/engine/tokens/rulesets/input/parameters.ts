/** Reads the parameters of an action: every problem with its pointer. */

import { isJsonObject, type JsonObject } from "../../../../core/json-value.ts";
import { didYouMean } from "../../../../core/suggest.ts";
import { alternatives, type CodedDiagnostic, pointer, quote } from "../../../../errors.ts";
import { inputProblem, invalidValue } from "../../input-problem.ts";
import { customActions } from "../actions.ts";
import type { ActionParameters, CustomAction } from "../model.ts";
import { skippablePhases, skippableProducts } from "./phases.ts";

/** Maximum length of the body of a response, in bytes of UTF-8 (`observed`). */
const maxContentBytes = 2_048;

/** The types of the body of a response. */
export const contentTypes = ["text/html", "text/plain", "application/json", "text/xml"] as const;

type Member = keyof ActionParameters;

/** Returns the problem of a member's value; undefined when it is allowed. */
type Check = (value: unknown, at: string, subject: string) => CodedDiagnostic[];

const checks: Readonly<Record<Member, Check>> = {
  id: (value, at, subject) =>
    typeof value === "string" && value !== "" ? [] : [invalidValue(at, subject, "a non-empty string", value)],
  response: checkResponse,
  ruleset: isCurrent,
  phase: isCurrent,
  phases: oneOfEach(skippablePhases),
  products: oneOfEach(skippableProducts),
  rulesets: (value, at, subject) =>
    isTextList(value) ? [] : [invalidValue(at, subject, "an array of ruleset ids", value)],
  rules: checkSkippedRules,
};

/** Members of a `skip` that exclude others (`observed`). */
const exclusions: readonly (readonly [Member, readonly Member[]])[] = [
  ["phase", ["ruleset", "phases", "rulesets", "rules"]],
  ["rulesets", ["ruleset", "phases"]],
  ["rules", ["ruleset"]],
];

/** That only rulesets of zones skip the rest of the phase (`observed`). */
const skipOfZone =
  'Only rules of a zone can skip the rest of the phase; in a ruleset of an account write `{"ruleset": "current"}`.';

/** The problems of `action_parameters` of a rule. @param level who has its ruleset */
export function checkParameters(
  action: CustomAction,
  level: "account" | "zone",
  parameters: unknown,
  at: string,
): CodedDiagnostic[] {
  const allowed: readonly string[] = customActions[action].parameters;
  if (parameters === undefined || parameters === null) return checkNeeded(action, {}, at);
  if (!isJsonObject(parameters)) return [invalidValue(at, "`action_parameters`", "an object", parameters)];
  return [
    ...Object.entries(parameters)
      .filter(([name, value]) => value !== undefined && !allowed.includes(name))
      .map(([name]) => unknownMember(action, name, allowed, at)),
    ...customActions[action].parameters.flatMap((name) => {
      const value = parameters[name];
      return value === undefined ? [] : checks[name](value, at + pointer(name), `\`${name}\``);
    }),
    ...checkNeeded(action, parameters, at),
    ...exclusions.flatMap(([name, others]) => checkExclusion(parameters, name, others, at)),
    ...(level === "account" && action === "skip" && parameters["phase"] !== undefined
      ? [inputProblem(`${at}/phase`, skipOfZone)]
      : []),
  ];
}

function unknownMember(
  action: CustomAction,
  name: string,
  allowed: readonly string[],
  at: string,
): CodedDiagnostic {
  const suggestion = didYouMean(name, allowed);
  const names = allowed.length === 0 ? "it has none" : `they are ${allowed.map(quote).join(", ")}`;
  return inputProblem(
    at + pointer(name),
    `${quote(name)} is not a parameter of the action \`${action}\`${suggestion || `; ${names}.`}`,
  );
}

function checkNeeded(action: CustomAction, parameters: JsonObject, at: string): CodedDiagnostic[] {
  if (action === "execute" && parameters["id"] === undefined)
    return [invalidValue(`${at}/id`, "`id`", "the id of a custom ruleset", undefined)];
  if (action !== "skip" || customActions.skip.parameters.some((name) => parameters[name] !== undefined))
    return [];
  const names = alternatives(customActions.skip.parameters.map(quote));
  return [inputProblem(at, `The action \`skip\` must have ${names}; it has none of them.`)];
}

function checkExclusion(
  parameters: JsonObject,
  name: Member,
  others: readonly Member[],
  at: string,
): CodedDiagnostic[] {
  if (parameters[name] === undefined) return [];
  return others
    .filter((other) => parameters[other] !== undefined)
    .map((other) =>
      inputProblem(at + pointer(other), `${quote(other)} cannot be used together with ${quote(name)}.`),
    );
}

function isCurrent(value: unknown, at: string, subject: string): CodedDiagnostic[] {
  return value === "current" ? [] : [invalidValue(at, subject, "`current`", value)];
}

function oneOfEach(names: readonly string[]): Check {
  return (value, at, subject) => {
    if (!Array.isArray(value)) return [invalidValue(at, subject, "an array of names", value)];
    return value.flatMap((name: unknown, i) => {
      if (names.includes(name as string)) return [];
      const suggestion = typeof name === "string" ? didYouMean(name, names) : "";
      const allowed = `one of ${names.map(quote).join(", ")}`;
      const found = invalidValue(at + pointer(i), `an element of ${subject}`, allowed, name);
      return [suggestion === "" ? found : { ...found, message: found.message.replace(/\.$/, suggestion) }];
    });
  };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string" && element !== "");
}

/** Ids of rules by ruleset: an array, or as Terraform's fourth version has them, a string with commas. */
function checkSkippedRules(value: unknown, at: string, subject: string): CodedDiagnostic[] {
  if (!isJsonObject(value)) return [invalidValue(at, subject, "an object with arrays of rule ids", value)];
  return Object.entries(value)
    .filter(([, ids]) => !isTextList(ids) && !(typeof ids === "string" && ids !== ""))
    .map(([id, ids]) =>
      invalidValue(at + pointer(id), "the rules of a ruleset", "an array of rule ids", ids),
    );
}

function checkResponse(value: unknown, at: string, subject: string): CodedDiagnostic[] {
  if (!isJsonObject(value)) return [invalidValue(at, subject, "an object", value)];
  const { status_code: status, content, content_type: type } = value;
  const isStatus = Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 499;
  const isContent =
    typeof content === "string" && new TextEncoder().encode(content).length <= maxContentBytes;
  const isType = (contentTypes as readonly unknown[]).includes(type);
  const known = ["status_code", "content", "content_type"];
  return [
    ...(isStatus
      ? []
      : [invalidValue(`${at}/status_code`, "`status_code`", "an integer from 400 to 499", status)]),
    ...(isContent
      ? []
      : [
          invalidValue(`${at}/content`, "`content`", `a string of at most ${maxContentBytes} bytes`, content),
        ]),
    ...(isType
      ? []
      : [invalidValue(`${at}/content_type`, "`content_type`", alternatives(contentTypes.map(quote)), type)]),
    ...Object.keys(value)
      .filter((name) => !known.includes(name))
      .map((name) =>
        inputProblem(
          at + pointer(name),
          `${quote(name)} is not a member of a response${didYouMean(name, known) || "."}`,
        ),
      ),
  ];
}
