/** Records of token validation. Scope: the zone. */
import type { Operation, TokenConfig, TokenRule } from "../../engine/tokens/model.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** A token configuration. */
export interface TokenConfigRecord extends StoredRecord, Required<TokenConfig> {
  /** Order of creation within the zone. */
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_updated: string;
  readonly description: string;
  readonly token_type: "JWT";
}

/** A token validation rule. */
export interface TokenRuleRecord extends StoredRecord, Required<TokenRule> {
  /** Orders the rules of the zone. Any numbers: positions of neighbors can be any distance apart. */
  readonly position: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** ISO 8601, UTC. */
  readonly last_updated: string;
  readonly description: string;
  /** The name of the API token that changed it last; absent when it has none, or a world file has the rule. */
  readonly modified_by?: string;
}

/** An operation; `id` is the operation_id. */
export interface OperationRecord extends StoredRecord, Operation {
  /** Order in the zone's list. */
  readonly sequence: number;
}

/** One record per zone, with the `id` "revision": counts the changes that affect a compiled zone. */
export interface TokenRevisionRecord extends StoredRecord {
  /** Number of changes. */
  readonly revision: number;
  /** Whether the zone has a list of operations, possibly an empty one. */
  readonly has_operations: boolean;
}

export const tokenConfigs = defineCollection<TokenConfigRecord>({
  fields: { sequence: "number" },
  indexes: [["sequence"]],
  maintainedCounts: [[]],
});
export const tokenRules = defineCollection<TokenRuleRecord>({
  fields: { position: "number", action: "text", enabled: "boolean" },
  indexes: [["position"], ["enabled", "position"], ["action", "position"]],
  maintainedCounts: [[], ["enabled"], ["action"], ["enabled", "action"]],
});
export const operations = defineCollection<OperationRecord>({
  fields: { sequence: "number" },
  indexes: [["sequence"]],
});
export const tokenRevisions = defineCollection<TokenRevisionRecord>({ fields: {} });
