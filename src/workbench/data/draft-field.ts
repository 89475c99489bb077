/** Reads a draft of a rule: the changed members of a stored one, or those of a new one. */
import { type JsonObject, parseJsonObject } from "../../core/json-value.ts";
import type { Selector } from "../../engine/tokens/model.ts";
import type { RuleDraft } from "../../service/tokens/drafts/check-draft.ts";
import type { CustomRuleDraft } from "../../service/tokens/rulesets/custom-drafts.ts";
import { RequestFault } from "../guard/request-fault.ts";
import { booleanField, objectField, stringField } from "./fields.ts";

/**
 * The members of a draft: with `ruleset` of a custom rule; without `rule` of a new one. The service checks actions.
 *
 * @throws {RequestFault} 400
 */
export function draftField(body: JsonObject): RuleDraft | CustomRuleDraft {
  const has = (name: string) => Object.hasOwn(body, name);
  const common = {
    ...(has("rule") && { ruleId: stringField(body, "rule") }),
    ...(has("action") && { action: stringField(body, "action") }),
    ...(has("enabled") && { enabled: booleanField(body, "enabled") }),
    expression: stringField(body, "expression"),
  };
  const title = has("title") ? stringField(body, "title") : undefined;
  if (!has("ruleset")) {
    const selector = has("selector") ? selectorField(objectField(body, "selector")) : undefined;
    return { ...common, ...(title !== undefined && { title }), ...(selector && { selector }) } as RuleDraft;
  }
  return {
    ...common,
    rulesetId: stringField(body, "ruleset"),
    ...(title !== undefined && { description: title }),
    ...(has("parameters") && { action_parameters: parametersOf(stringField(body, "parameters")) }),
  } as CustomRuleDraft;
}

function selectorField(selector: JsonObject): Selector {
  const hosts = stringsField(selector, "hosts");
  const excluded = stringsField(selector, "excluded");
  return {
    include: [{ host: hosts }],
    ...(excluded.length > 0 && { exclude: [{ operation_ids: excluded }] }),
  };
}

function stringsField(body: JsonObject, name: string): readonly string[] {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (Array.isArray(value) && value.every((element) => typeof element === "string")) return value;
  throw new RequestFault(400, `\`${name}\` must be an array of strings.`);
}

/** Null for an empty text. */
function parametersOf(text: string): JsonObject | null {
  if (text.trim() === "") return null;
  const value = parseJsonObject(text);
  if (value !== undefined) return value;
  throw new RequestFault(400, 'The parameters must be a JSON object, such as {"ruleset": "current"}.');
}
