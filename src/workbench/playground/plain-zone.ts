/**
 * The rules of one zone without a world around them, as `compileZone` accepts them: its custom rules are read as those of
 * a world, its token rules are left to the engine, which accepts any ids.
 */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import type { StoredZoneInput } from "../../service/tokens/evaluation.ts";

/** A zone in a world. */
export interface WrappedZone {
  /** Without the token rules. */
  readonly world: JsonObject;
  /** The token rules, unchecked. */
  readonly tokens: Pick<StoredZoneInput, "configs" | "rules" | "operations">;
  /** The pointer into the text of one into the world. */
  readonly pointerOf: (inWorld: string) => string;
}

const members = [
  "configs",
  "rules",
  "operations",
  "rulesets",
  "account_rulesets",
  "lists",
  "url_normalization",
];

/** Whether a value is the rules of one zone. */
export function isPlainZone(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  if (["zones", "accounts"].some((name) => Object.hasOwn(value, name))) return false;
  // A ruleset of a saved response.
  if (Object.hasOwn(value, "kind") && Object.hasOwn(value, "phase")) return false;
  return members.some((name) => Object.hasOwn(value, name));
}

/** Members that a zone does not have are members of the world's zone, so that they are reported. */
export function wrapZone(value: JsonObject): WrappedZone {
  const { $schema, profile, configs, rules, operations, rulesets, account_rulesets, lists, ...others } =
    value;
  const given = (object: JsonObject) =>
    Object.fromEntries(Object.entries(object).filter(([, member]) => member !== undefined));
  const names = isJsonObject(lists) ? Object.keys(lists) : undefined;
  const world = {
    ...given({ $schema, profile }),
    accounts: [{ id: "default", ...given({ rulesets: account_rulesets, lists: asArray(lists) }) }],
    zones: [
      {
        ...others,
        id: "playground",
        token_validation: {},
        ...given({ rulesets }),
      },
    ],
  };
  return {
    world,
    tokens: withDefaults({ configs, rules, operations }),
    pointerOf: (inWorld) => unwrapPointer(inWorld, names),
  };
}

/** The members that a world may leave out. Values of a wrong type are left to the check of the zone. */
function withDefaults({ configs = [], rules = [], operations }: JsonObject): WrappedZone["tokens"] {
  return {
    configs: mapObjects(configs, () => ({ title: "" })),
    rules: mapObjects(rules, (i) => ({ id: `rule ${i + 1}`, title: "", enabled: true, selector: {} })),
    ...(operations !== undefined && { operations }),
  } as unknown as WrappedZone["tokens"];
}

function mapObjects(list: unknown, defaults: (i: number) => JsonObject): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((element, i): unknown =>
    isJsonObject(element) ? { ...defaults(i), ...element } : element,
  );
}

/** Lists are an object by name for the engine, and an array in a world. */
function asArray(lists: unknown): unknown {
  if (!isJsonObject(lists)) return lists;
  return Object.entries(lists).map(([name, list]) => (isJsonObject(list) ? { ...list, name } : list));
}

/** Beginnings of pointers into the world, the longest first, with those into the text. */
const places = [
  ["/zones/0/token_validation", ""],
  ["/zones/0", ""],
  ["/accounts/0/rulesets", "/account_rulesets"],
  ["/accounts/0", ""],
] as const;

function unwrapPointer(inWorld: string, listNames: readonly string[] | undefined): string {
  const [at, text] = places.find(([start]) => `${inWorld}/`.startsWith(`${start}/`)) ?? ["", ""];
  const within = text + inWorld.slice(at.length);
  const [, index = "", rest = ""] = /^\/lists\/(\d+)(.*)$/s.exec(within) ?? [];
  const name = listNames?.[Number(index)];
  return index === "" || name === undefined ? within : pointer("lists", name) + rest;
}
