/** The result of an audit, and the outcome of an operation from the answers about its requests. */

import type { Operation } from "../../model.ts";
import type { VerdictAction } from "../../verdict/verdict.ts";
import type { PlainRequest, TokenState } from "../requests/concretize.ts";
import type { PlaceholderToken } from "../requests/placeholder-token.ts";
import { type DocumentedOperation, isPublic } from "./documented-operation.ts";
import type { AuditOutcome } from "./outcomes.ts";

/** A request that contradicts the document, and its treatment by the zone. */
export interface AuditedRequest {
  /** The request, with placeholders for valid tokens in its headers, and with the values that custom rules read. */
  readonly request: PlainRequest;
  /** The placeholders in the request; `fillPlaceholderTokens` replaces them by valid tokens. */
  readonly placeholderTokens: readonly PlaceholderToken[];
  /** The time of the evaluation, in milliseconds since 1970, when claims or custom rules compare times. */
  readonly timeMs?: number;
  /** The action of the verdict. */
  readonly action: VerdictAction;
  /** The id of the rule that decided, a token rule or a custom rule; absent when none did. */
  readonly rule?: string;
  /** The id of the zone's operation that the request matches; absent when it matches none. */
  readonly operationId?: string;
  /** The state of the token of each configuration that matters for the operation, by configuration id. */
  readonly tokens: Readonly<Record<string, TokenState>>;
}

/** The result for one documented operation. */
export interface OperationAudit<Documented extends DocumentedOperation = DocumentedOperation> {
  /** The operation as documented. */
  readonly operation: Documented;
  /** The outcome; `auditOutcomes` describes each. */
  readonly outcome: AuditOutcome;
  /** Ids of the zone's operations that requests of this operation match. */
  readonly zoneOperations: readonly string[];
  /** Names of the operation's schemes that no token configuration reads. */
  readonly unreadSchemes: readonly string[];
  /** A request that contradicts the document; absent when none is known. */
  readonly contradiction?: AuditedRequest;
  /** Why the outcome is undecided; absent otherwise. */
  readonly reason?: string;
}

/** The result of an audit. */
export interface ZoneAudit<Documented extends DocumentedOperation = DocumentedOperation> {
  /** Every documented operation, in order. */
  readonly operations: readonly OperationAudit<Documented>[];
  /** Operations of the zone with requests that belong to no documented operation. */
  readonly undocumented: readonly Operation[];
}

/** The answer about the requests of a documented operation that match one operation of the zone. */
export interface AuditedClass {
  /** Absent when the requests match no operation of the zone, or when the zone lists none. */
  readonly zoneOperation?: string;
  readonly answer:
    | { readonly kind: "none" }
    | { readonly kind: "found"; readonly contradiction: AuditedRequest }
    | { readonly kind: "undecided"; readonly reason: string };
}

/** The result for an operation; `listsOperations` is whether the zone has a list of operations. */
export function describeOperation<Documented extends DocumentedOperation>(
  operation: Documented,
  classes: readonly AuditedClass[],
  { unreadSchemes, listsOperations }: { unreadSchemes: readonly string[]; listsOperations: boolean },
): OperationAudit<Documented> {
  const zoneOperations = [...new Set(classes.flatMap(({ zoneOperation }) => zoneOperation ?? []))];
  const found = { operation, zoneOperations, unreadSchemes };
  const isUnknown = listsOperations && zoneOperations.length === 0;
  const contradiction = worstContradiction(classes);
  if (contradiction !== undefined && contradiction.action !== "log") {
    const context = { isUnknown, isRead: unreadSchemes.length < schemeNames(operation).length };
    return { ...found, outcome: contradictedOutcome(operation, context), contradiction };
  }
  const reason = undecidedReason(classes);
  if (reason !== undefined) {
    return { ...found, outcome: isPublic(operation) ? "public-undecided" : "undecided", reason };
  }
  if (contradiction !== undefined) return { ...found, outcome: "logged", contradiction };
  return { ...found, outcome: isPublic(operation) ? "public" : "protected" };
}

/** The names of an operation's schemes, without repetition. */
export function schemeNames({ security }: Pick<DocumentedOperation, "security">): readonly string[] {
  return [...new Set(security.flat().map(({ name }) => name))];
}

function contradictedOutcome(
  operation: DocumentedOperation,
  { isUnknown, isRead }: { isUnknown: boolean; isRead: boolean },
): AuditOutcome {
  if (isPublic(operation)) return "public-blocked";
  if (isUnknown) return "unknown";
  return isRead ? "unprotected" : "no-token-source";
}

/** The contradiction to report: a request that is logged only when there is no other. */
function worstContradiction(classes: readonly AuditedClass[]): AuditedRequest | undefined {
  const all = classes.flatMap(({ answer }) => (answer.kind === "found" ? [answer.contradiction] : []));
  return all.find(({ action }) => action !== "log") ?? all[0];
}

/** An operation without requests is undecided, too: nothing is known of it. */
function undecidedReason(classes: readonly AuditedClass[]): string | undefined {
  if (classes.length === 0) return "no request of the operation was found";
  const [first] = classes.flatMap(({ answer }) => (answer.kind === "undecided" ? [answer.reason] : []));
  return first;
}
