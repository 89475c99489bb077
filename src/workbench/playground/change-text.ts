/** Changes of rules in the text of the playground: the rule is printed again, every other character stays as it is. */

import { parseJsoncSource } from "../../core/json/comments.ts";
import { createValueIndex, spliceAll } from "../../core/json/edits.ts";
import { pointerSegments } from "../../core/json-pointer.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { JwtKey } from "../../engine/tokens/model.ts";
import { quote } from "../../errors.ts";
import type { RuleDraft } from "../../service/tokens/drafts/check-draft.ts";
import { type CustomRuleDraft, withCustomDraft } from "../../service/tokens/rulesets/custom-drafts.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { PlaygroundZone } from "./read-rules.ts";

/** The text with a token rule changed, or with a new one after the others. @throws {RequestFault} */
export function saveRule(
  text: string,
  { input, pointerOf }: PlaygroundZone,
  id: string | undefined,
  members: Partial<Omit<RuleDraft, "ruleId">>,
): string {
  if (id === undefined)
    return added(text, pointerOf("/rules"), { id: freeId(input.rules), ...newRule, ...members });
  const { list, position } = placeOfRule({ input }, id);
  const at = pointerOf(`${list}/${position}`);
  return replaceValue(text, at, { ...objectAt(text, at), ...members });
}

/** A rule in a list of the input. */
interface RulePlace {
  /** Pointer of the list into the input. */
  readonly list: string;
  /** From 0. */
  readonly position: number;
}

/** The token rules, or the custom rules of a ruleset. */
function rulesOf({ input }: Pick<PlaygroundZone, "input">, ruleset: string | undefined) {
  if (ruleset === undefined) return { list: "/rules", rules: input.rules };
  const member = input.rulesets?.some(({ id }) => id === ruleset) ? "rulesets" : "account_rulesets";
  const index = input[member]?.findIndex(({ id }) => id === ruleset) ?? -1;
  return { list: `/${member}/${index}/rules`, rules: input[member]?.[index]?.rules ?? [] };
}

/** The place of a token rule, or with `ruleset` of a custom rule. @throws {RequestFault} when there is none */
export function placeOfRule(zone: Pick<PlaygroundZone, "input">, id: string, ruleset?: string): RulePlace {
  const { list, rules } = rulesOf(zone, ruleset);
  const wanted = ruleset === undefined ? id.toLowerCase() : id;
  const position = rules.findIndex((rule) => rule.id === wanted);
  if (position < 0) throw new RequestFault(404, `The rules have no rule ${quote(id)}.`);
  return { list, position };
}

/** The text with a rule at another index of its list, from 1: the rules are exchanged, what is between them stays. */
export function moveRule(
  text: string,
  { pointerOf }: Pick<PlaygroundZone, "pointerOf">,
  { list, position }: RulePlace,
  index: number,
): string {
  const places = elementPlaces(text, pointerOf(list));
  const order = [...places.keys()];
  const moved = order.splice(position, 1);
  order.splice(index - 1, 0, ...moved);
  return spliceAll(
    text,
    places.map((place, i) => {
      const { start, end } = places[order[i] ?? i] ?? place;
      return { ...place, content: text.slice(start, end) };
    }),
  );
}

/** The text without a rule, and without a comma beside it. */
export function removeRule(
  text: string,
  { pointerOf }: Pick<PlaygroundZone, "pointerOf">,
  { list, position }: RulePlace,
): string {
  const places = elementPlaces(text, pointerOf(list));
  const [before, rule, next] = [places[position - 1], places[position], places[position + 1]];
  const start = before?.end ?? rule?.start ?? 0;
  const end = before ? (rule?.end ?? start) : (next?.start ?? rule?.end ?? start);
  return spliceAll(text, [{ start, end, content: "" }]);
}

function elementPlaces(text: string, list: string) {
  const elements = valueAt(text, list);
  const placeOf = createValueIndex(text);
  return Array.isArray(elements) ? elements.map((_, i) => placeOf(`${list}/${i}`)) : [];
}

const newRule = { title: "", action: "block", enabled: true, selector: {} } as const;

/** The text with a custom rule changed, or with a new one after the others of its ruleset. @throws {RequestFault} */
export function saveCustomRule(text: string, zone: PlaygroundZone, draft: CustomRuleDraft): string {
  const { input, pointerOf } = zone;
  const { rulesetId, ruleId, action_parameters: parameters, ...members } = draft;
  const newId = crypto.randomUUID().replaceAll("-", "");
  // The checks of drafts: that the ruleset and the rule exist.
  withCustomDraft(input, draft, newId, "");
  const given = parameters === null || parameters === undefined ? {} : { action_parameters: parameters };
  if (ruleId === undefined)
    return added(text, pointerOf(rulesOf(zone, rulesetId).list), {
      id: newId,
      action: "block",
      enabled: true,
      ...members,
      ...given,
    });
  const { list, position } = placeOfRule(zone, ruleId, rulesetId);
  const at = pointerOf(`${list}/${position}`);
  const { action_parameters: before, logging, ...rule } = objectAt(text, at);
  const { action = rule["action"] } = members;
  const kept = before === undefined || parameters !== undefined ? {} : { action_parameters: before };
  const changed = { ...rule, ...members, ...kept, ...given };
  return replaceValue(text, at, action === "skip" && logging ? { ...changed, logging } : changed);
}

/**
 * The text with a public key in a configuration, in place of one with the same `kid` and `alg`.
 *
 * @param config id of the configuration; a new one for an id that no configuration has
 */
export function saveKey(
  text: string,
  { input, pointerOf }: PlaygroundZone,
  config: string,
  key: JwtKey,
): string {
  const index = input.configs.findIndex(({ id }) => id === config);
  if (index < 0) return added(text, pointerOf("/configs"), { ...newConfig(), credentials: { keys: [key] } });
  const keys = input.configs[index]?.credentials.keys ?? [];
  const position = keys.findIndex(({ kid, alg }) => kid === key.kid && alg === key.alg);
  const at = pointerOf(`/configs/${index}/credentials/keys`);
  return position < 0 ? added(text, at, key) : setValue(text, `${at}/${position}`, key);
}

/** A configuration for the usual header. */
function newConfig() {
  const source = 'http.request.headers["authorization"][0]';
  return { id: crypto.randomUUID(), title: "Keys of this page", token_sources: [source] };
}

/** The text with an element after the others of a list, which is printed again; a list that is missing is added. */
function added(text: string, list: string, element: object): string {
  const elements = valueAt(text, list) ?? [];
  if (!Array.isArray(elements)) throw new RequestFault(400, `\`${list}\` must be an array to add a rule to.`);
  return setValue(text, list, [...elements, element]);
}

function setValue(text: string, pointer: string, value: unknown): string {
  if (pointer === "" || valueAt(text, pointer) !== undefined) return replaceValue(text, pointer, value);
  const [, owner = "", name = ""] = /^(.*)\/([^/]*)$/s.exec(pointer) ?? [];
  const before = valueAt(text, owner);
  return isJsonObject(before)
    ? insertMember(text, owner, Object.keys(before).length === 0, `${JSON.stringify(name)}: `, value)
    : setValue(text, owner, { [name]: value });
}

/** Inserted before the other members, where no comment and no comma has to be considered. */
function insertMember(text: string, owner: string, isEmpty: boolean, name: string, value: unknown): string {
  const { start } = createValueIndex(text)(owner);
  const indent = indentAt(text, start);
  const content = `\n${indent}  ${name}${printed(value, `${indent}  `)}${isEmpty ? `\n${indent}` : ","}`;
  return spliceAll(text, [{ start: start + 1, end: start + 1, content }]);
}

/** A UUID, which is the id of a rule in a world. */
function freeId(rules: readonly { readonly id: string }[]): string {
  const id = crypto.randomUUID();
  return rules.some((rule) => rule.id === id) ? freeId(rules) : id;
}

function objectAt(text: string, pointer: string): JsonObject {
  const value = valueAt(text, pointer);
  if (isJsonObject(value)) return value;
  throw new RequestFault(400, `The rules must have an object at \`${pointer}\` to save a rule.`);
}

function valueAt(text: string, pointer: string): unknown {
  const parsed = parseJsoncSource(text);
  let value: unknown = parsed.ok ? parsed.value.value : undefined;
  for (const name of pointerSegments(pointer)) value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}

/** The value is indented as its line is. */
function replaceValue(text: string, pointer: string, value: unknown): string {
  const { start, end } = createValueIndex(text)(pointer);
  return spliceAll(text, [{ start, end, content: printed(value, indentAt(text, start)) }]);
}

/** The spaces at the beginning of the line of an offset. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function printed(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}
