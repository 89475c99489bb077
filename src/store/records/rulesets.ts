/** Records of custom rules. Scope: the zone or the account that has them. */
import type { CustomRule, Ruleset } from "../../engine/tokens/rulesets/model.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** A custom rule in its ruleset. */
export interface CustomRuleRecord extends CustomRule {
  readonly ref: string;
  readonly description: string;
  readonly enabled: boolean;
  /** The number of the last change of the rule, from `1`. */
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly last_updated: string;
}

/** A ruleset with its rules in order of evaluation. */
export interface RulesetRecord extends StoredRecord, Required<Omit<Ruleset, "rules">> {
  /** Order of creation within the zone or account. */
  readonly sequence: number;
  readonly description: string;
  /** The number of the last change of the ruleset, from `1`. */
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly last_updated: string;
  readonly rules: readonly CustomRuleRecord[];
}

/** A list of an account that expressions name as `$name`. */
export interface RuleListRecord extends StoredRecord {
  /** Order of creation within the account. */
  readonly sequence: number;
  /** Unique. */
  readonly name: string;
  readonly kind: "ip" | "hostname" | "asn";
  readonly description: string;
  readonly items: readonly (string | number)[];
  /** ISO 8601, UTC. */
  readonly created_on: string;
  /** ISO 8601, UTC. */
  readonly modified_on: string;
}

/** One record per account, with the `id` "revision": counts the changes of its rulesets and lists. */
export interface AccountRevisionRecord extends StoredRecord {
  /** Number of changes. */
  readonly revision: number;
}

const rulesets = () =>
  defineCollection<RulesetRecord>({ fields: { sequence: "number" }, indexes: [["sequence"]] });
export const zoneRulesets = rulesets();
export const accountRulesets = rulesets();
export const ruleLists = defineCollection<RuleListRecord>({
  fields: { sequence: "number", name: "text" },
  indexes: [["sequence"]],
  unique: [["name"]],
});
export const accountRevisions = defineCollection<AccountRevisionRecord>({ fields: {} });
