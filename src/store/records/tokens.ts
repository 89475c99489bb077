/** Records of token validation. Scope: the zone. */
import type { JwtKey, Operation, Selector } from "../../engine/tokens/model.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

export interface TokenConfigRecord extends StoredRecord {
  /** Order of creation within the zone. */
  readonly sequence: number;
  readonly created_at: string;
  readonly last_updated: string;
  readonly credentials: { readonly keys: readonly JwtKey[] };
  readonly title: string;
  readonly description: string;
  readonly token_sources: readonly string[];
  readonly token_type: "JWT";
}

export interface TokenRuleRecord extends StoredRecord {
  /** Place in the zone's order, from 1, without gaps. */
  readonly position: number;
  readonly created_at: string;
  readonly last_updated: string;
  readonly action: "log" | "block";
  readonly title: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly expression: string;
  readonly selector: Selector;
}

/** `id` is the operation_id. */
export interface OperationRecord extends StoredRecord, Operation {
  readonly sequence: number;
}

/** One record a zone, `id` "revision": counts every change of what a compiled zone depends on. */
export interface TokenRevisionRecord extends StoredRecord {
  readonly revision: number;
  /** Whether the zone was given a list of operations, be it an empty one. */
  readonly has_operations: boolean;
}

export const tokenConfigs = defineCollection<TokenConfigRecord>({
  fields: { sequence: "number" },
  indexes: [["sequence"]],
});
export const tokenRules = defineCollection<TokenRuleRecord>({
  fields: { position: "number", action: "text", enabled: "boolean" },
  indexes: [["position"]],
});
export const operations = defineCollection<OperationRecord>({
  fields: { sequence: "number" },
  indexes: [["sequence"]],
});
export const tokenRevisions = defineCollection<TokenRevisionRecord>({ fields: {} });
