/** The rules of the playground: the text of a world, or of the token rules of one zone, read without a store. */
import type { Diagnostic } from "../../core/diagnostic.ts";
import { parseJsoncSource } from "../../core/json/comments.ts";
import type { JsonSource } from "../../core/json-source.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { checkZone } from "../../engine/tokens/zone/zone.ts";
import type { StoredZoneInput } from "../../service/tokens/evaluation.ts";

/** Rules that were read. */
export interface ReadRules {
  /** Absent when there are problems. */
  readonly zone?: PlaygroundZone;
  /** Whether the world has custom rules, which this page does not evaluate. */
  readonly hasCustomRules: boolean;
  /** Why the text has no rules that can be evaluated; pointers are those of the text. */
  readonly problems: readonly Diagnostic[];
  /** Line of a pointer in the text, from 1. */
  readonly lineOf: (pointer: string) => number | undefined;
}

/** The zone of a text. */
export interface PlaygroundZone {
  readonly name: string;
  /** Pointer of the token rules in the text. */
  readonly at: string;
  readonly input: StoredZoneInput;
}

/** Reads a text. Never throws, whatever the text has. */
export function readRules(text: string): ReadRules {
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) {
    const [{ message, at }] = parsed.problems;
    return {
      problems: [{ ...fault(`${message}.`), pointer: "" }],
      lineOf: () => at.start.line,
      hasCustomRules: false,
    };
  }
  const source = parsed.value;
  const lineOf = (pointer: string) => startLine(source, pointer);
  const hasCustomRules = isJsonObject(source.value) && hasRulesets(source.value);
  const found = findZone(source.value);
  if (typeof found === "string") return { problems: [fault(found)], lineOf, hasCustomRules };
  const input = withDefaults(found.value);
  const problems = checkZone(input).map((one) => ({ ...one, pointer: found.at + (one.pointer ?? "") }));
  return problems.length > 0
    ? { problems, lineOf, hasCustomRules }
    : { problems, lineOf, hasCustomRules, zone: { name: found.name, at: found.at, input } };
}

function fault(message: string): Diagnostic {
  return { rule: "rules", level: "error", message };
}

function startLine(source: JsonSource, pointer: string): number | undefined {
  try {
    return source.range(pointer).start.line;
  } catch {
    return undefined;
  }
}

interface FoundZone {
  readonly name: string;
  readonly at: string;
  readonly value: JsonObject;
}

/** The token rules of the only zone that has some, or why there are none. */
function findZone(value: unknown): FoundZone | string {
  if (!isJsonObject(value))
    return "The text must be a JSON object: a world with `zones`, or `configs` and `rules`.";
  if (!Object.hasOwn(value, "zones")) {
    if (Object.hasOwn(value, "configs") || Object.hasOwn(value, "rules"))
      return { name: "example.com", at: "", value };
    return "The object must have `zones`, or `configs` and `rules`.";
  }
  const zones: readonly unknown[] = Array.isArray(value["zones"]) ? value["zones"] : [];
  const found = zones.flatMap((zone, i): FoundZone[] => {
    if (!isJsonObject(zone) || !isJsonObject(zone["token_validation"])) return [];
    const name = String(zone["name"] ?? zone["id"] ?? "example.com");
    return [{ name, at: `/zones/${i}/token_validation`, value: zone["token_validation"] }];
  });
  const [first, second] = found;
  if (first === undefined)
    return "The world must have a zone in `zones` with the object `token_validation`; found none.";
  return second === undefined
    ? first
    : `The world must have one zone with \`token_validation\`; found ${found.length}.`;
}

function hasRulesets({ zones, accounts }: JsonObject): boolean {
  const owners: readonly unknown[] = [zones, accounts].flatMap((list) => (Array.isArray(list) ? list : []));
  return owners.some((owner) => {
    const rulesets = isJsonObject(owner) ? owner["rulesets"] : undefined;
    return Array.isArray(rulesets) && rulesets.length > 0;
  });
}

/** The members that a world may leave out. Values of a wrong type are left to the check of the zone. */
function withDefaults({ configs = [], rules = [], operations }: JsonObject): StoredZoneInput {
  return {
    configs: mapObjects(configs, () => ({ title: "" })),
    rules: mapObjects(rules, (i) => ({ id: `rule-${i + 1}`, title: "", enabled: true, selector: {} })),
    ...(operations !== undefined && { operations }),
  } as unknown as StoredZoneInput;
}

function mapObjects(list: unknown, defaults: (i: number) => JsonObject): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((one, i): unknown => (isJsonObject(one) ? { ...defaults(i), ...one } : one));
}
