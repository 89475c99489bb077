/**
 * Fixes for ids that the library accepts and the service does not, which needs UUIDs: a derived UUID, also where rules
 * refer to the id. The same world always has the same fix.
 */
import type { PatchOperation } from "../../core/json/patch.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { isUuid } from "../../core/text/uuid.ts";
import { printString } from "../../engine/tokens/expression/literal.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { references } from "../../engine/tokens/expression/references.ts";
import { type CodedDiagnostic, pointer, quote } from "../../errors.ts";
import { derivedUuid } from "../tokens/derived-ids.ts";

/** The member with the id of each kind of object in the token validation of a zone, and which ids are accepted. */
const kinds = {
  configs: { member: "id", isAccepted: isUuid },
  rules: { member: "id", isAccepted: isUuid },
  operations: { member: "operation_id", isAccepted: (id: string) => id.length <= 64 },
} as const;

type Kind = keyof typeof kinds;

const idPointer = /^\/zones\/(\d+)\/token_validation\/(configs|rules|operations)\/\d+\/(?:id|operation_id)$/;

/** Adds a fix to the problems about ids; all those of one zone have the same, because their references are in the same expressions. */
export function withIdFixes(world: unknown, problems: readonly CodedDiagnostic[]): CodedDiagnostic[] {
  const fixes = new Map<string, readonly PatchOperation[]>();
  return problems.map((problem) => {
    const [, zone, kind] = idPointer.exec(problem.pointer ?? "") ?? [];
    if (zone === undefined) return problem;
    const id = valueAt(world, problem.pointer ?? "");
    if (typeof id !== "string" || id === "") return problem;
    const fix = fixes.get(zone) ?? fixOfZone(world, zone);
    fixes.set(zone, fix);
    const message = `${problem.message} Replace it by ${quote(newId(kind as Kind, id))}${kind === "rules" ? "" : ", also in the rules that refer to it"}.`;
    return { ...problem, message, fix };
  });
}

function newId(kind: Kind, id: string): string {
  return derivedUuid(`${kind} ${id}`);
}

function fixOfZone(world: unknown, zone: string): PatchOperation[] {
  const at = pointer("zones", zone, "token_validation");
  const validation = valueAt(world, at);
  if (!isJsonObject(validation)) return [];
  const renamed = Object.keys(kinds).map((kind) => renamedIds(kind as Kind, validation));
  const [configs = new Map(), , operations = new Map()] = renamed;
  const ofIds = (Object.keys(kinds) as Kind[]).flatMap((kind, i) =>
    objectsIn(validation[kind]).flatMap(([object, index]) => {
      const { member } = kinds[kind];
      const value = renamed[i]?.get(object[member]);
      return value === undefined ? [] : [replace(at + pointer(kind, index, member), value)];
    }),
  );
  const ofRules = objectsIn(validation["rules"]).flatMap(([rule, index]) => {
    const ruleAt = at + pointer("rules", index);
    return [...expressionFix(rule, ruleAt, configs), ...selectorFix(rule, `${ruleAt}/selector`, operations)];
  });
  return [...ofIds, ...ofRules];
}

/** New ids by the ids that are not accepted. */
type NewIds = ReadonlyMap<unknown, string>;

function renamedIds(kind: Kind, validation: JsonObject): NewIds {
  const { member, isAccepted } = kinds[kind];
  const ids = objectsIn(validation[kind]).map(([object]) => object[member]);
  const rejected = ids.filter((id): id is string => typeof id === "string" && id !== "" && !isAccepted(id));
  return new Map(rejected.map((id) => [id, newId(kind, id)]));
}

function expressionFix({ expression }: JsonObject, ruleAt: string, ids: NewIds): PatchOperation[] {
  if (typeof expression !== "string") return [];
  const parsed = parseExpression(expression);
  if (!parsed.ok) return [];
  const replaced = references(parsed.value).reduceRight((text, { id, span }) => {
    const value = ids.get(id);
    return value === undefined ? text : text.slice(0, span.start) + printString(value) + text.slice(span.end);
  }, expression);
  return replaced === expression ? [] : [replace(`${ruleAt}/expression`, replaced)];
}

function selectorFix({ selector }: JsonObject, at: string, ids: NewIds): PatchOperation[] {
  const entries = isJsonObject(selector) ? objectsIn(selector["exclude"]) : [];
  return entries.flatMap(([{ operation_ids: listed }, index]) =>
    (Array.isArray(listed) ? listed : []).flatMap((id: unknown, i) => {
      const value = ids.get(id);
      return value === undefined ? [] : [replace(at + pointer("exclude", index, "operation_ids", i), value)];
    }),
  );
}

function replace(path: string, value: string): PatchOperation {
  return { op: "replace", path, value };
}

/** The objects of a list with their positions. */
function objectsIn(list: unknown): [JsonObject, number][] {
  return Array.isArray(list)
    ? list.flatMap((element: unknown, i): [JsonObject, number][] =>
        isJsonObject(element) ? [[element, i]] : [],
      )
    : [];
}

/** The value at an RFC 6901 pointer without escapes. */
function valueAt(world: unknown, at: string): unknown {
  return at
    .split("/")
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], world);
}
