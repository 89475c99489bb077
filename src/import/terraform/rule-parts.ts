/** Names the rules of a ruleset for people: a plan has all of them in one resource. */
import type { JsonObject } from "../../core/json-value.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { quote } from "../../errors.ts";
import type { PartOf } from "../origin.ts";

/** The reference that the service gives to a rule is its id, which says nothing to people. */
const givenRef = /^[0-9a-f]{32}$/;

/** A rule by its reference, else by its description when no other has it, else by its number. */
export function rulePartOf({ rules }: JsonObject): PartOf {
  if (!Array.isArray(rules)) return () => undefined;
  let names: readonly string[] | undefined;
  return (member) => {
    const [, index] = /^\/rules\/(\d+)(?:\/|$)/.exec(member) ?? [];
    names ??= namesOf(rules);
    return index === undefined ? undefined : names[Number(index)];
  };
}

function namesOf(rules: readonly unknown[]): readonly string[] {
  const found = rules.map((rule) => nameOf(isJsonObject(rule) ? rule : {}));
  const counts = new Map<unknown, number>();
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  return found.map((name, i) =>
    name !== undefined && counts.get(name) === 1 ? `rule ${quote(name)}` : `rule ${i + 1} of ${rules.length}`,
  );
}

function nameOf({ ref, description }: JsonObject): string | undefined {
  if (typeof ref === "string" && ref !== "" && !givenRef.test(ref)) return ref;
  return typeof description === "string" && description.trim() !== "" ? description : undefined;
}
