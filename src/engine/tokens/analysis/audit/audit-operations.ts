/**
 * Audits a zone against documented operations: whether requests without the documented tokens get through. Exact: the
 * analysis covers all requests, and every request that it shows is confirmed by the real engine.
 *
 * Requests are partitioned by the documented operation and the operation of the zone that they match.
 */

import {
  arrayOf,
  aString,
  objectWith,
  optional,
  optionsOf,
  requireArguments,
} from "../../../../core/arguments.ts";
import { InvalidInputError } from "../../../../errors.ts";
import {
  type ReadingOptions,
  type ReadOperation,
  type ReadZone,
  readZone,
  type ZoneInput,
} from "../../zone/zone-input.ts";
import { createMeter, withinBudget } from "../budget.ts";
import { analysisMembers } from "../option-names.ts";
import type { Pair } from "../pair.ts";
import { partitionRequests, type RequestClass } from "../requests/partition.ts";
import { type AuditedClass, describeOperation, type OperationAudit, type ZoneAudit } from "./audit-result.ts";
import { type AuditOptions, type Auditor, createAuditor } from "./auditor.ts";
import type { DocumentedOperation } from "./documented-operation.ts";
import { undocumentedOperations } from "./undocumented.ts";

const anOperation = objectWith({
  operation_id: aString,
  method: aString,
  host: aString,
  endpoint: aString,
  security: arrayOf(arrayOf(objectWith({ name: aString, source: optional(aString) }))),
});

/**
 * Audits a zone against documented operations.
 *
 * An operation is `protected` when each request that gets through has the valid tokens of one alternative of its
 * security. A scheme is verified by the configurations with its header or cookie among their token sources; a scheme
 * that none of them reads cannot be verified, and does not count. When none of an operation's schemes is read, a valid
 * token of any configuration counts. Custom rules count as well: a request gets through when they let it, with
 * whatever values they read and after a challenge that the client passed. Of a public operation, the blocks of token
 * rules count, and those of custom rules that read claims.
 *
 * @example
 * ```ts
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'http.request.method ne "DELETE"';
 * const rules = [{ id: "r1", action: "block" as const, enabled: true, expression, selector }];
 * const order = { operation_id: "getOrder", method: "GET", host: "api.example.com", endpoint: "/orders/{id}" };
 * const bearer = { name: "bearer", source: 'http.request.headers["authorization"][0]' };
 * const [audited] = auditOperations({ configs: [], rules }, [{ ...order, security: [[bearer]] }]).operations;
 * [audited?.outcome, audited?.contradiction?.request.url];
 * // => ["no-token-source", "https://api.example.com/orders/x"]
 * ```
 * @throws InvalidInputError when the zone or an operation is invalid, with every problem
 */
export function auditOperations<Documented extends DocumentedOperation>(
  zone: ZoneInput,
  documented: readonly Documented[],
  options: AuditOptions = {},
): ZoneAudit<Documented> {
  requireArguments({
    documented: [documented, arrayOf(anOperation)],
    options: [options, optionsOf<AuditOptions>("auditOperations", analysisMembers)],
  });
  const read = readValid("The zone is invalid", zone, options);
  const document = readValid("The documented operations are invalid", documentZone(documented), {
    urlNormalization: read.normalization,
  });
  const auditor = createAuditor(read, options);
  const classes = withinBudget<Iterable<RequestClass> | string>(
    () => partitionRequests([document, read], createMeter(options), { readsPath: auditor.readsPath }),
    (reason) => reason,
  );
  return {
    operations: auditDocument(auditor, [document, read], documented, classes),
    undocumented: undocumentedOperations(document, read),
  };
}

function readValid(summary: string, input: ZoneInput, options: ReadingOptions): ReadZone {
  const read = readZone(input, options);
  if (!read.ok) throw new InvalidInputError(summary, read.problems);
  return read.value;
}

/** A zone with the documented operations, and a rule that matches them all. */
function documentZone(operations: readonly DocumentedOperation[]): ZoneInput {
  const selector = { include: [{ host: [...new Set(operations.map(({ host }) => host))] }] };
  const expression = 'http.request.method ne ""';
  const rule = { id: "document", action: "log", enabled: true, expression, selector } as const;
  return { configs: [], rules: [rule], operations };
}

function auditDocument<Documented extends DocumentedOperation>(
  auditor: Auditor,
  [document, zone]: Pair<ReadZone>,
  documented: readonly Documented[],
  classes: Iterable<RequestClass> | string,
): OperationAudit<Documented>[] {
  const audited = documented.map((operation) => {
    return { operation, security: auditor.readSecurity(operation.security), classes: [] as AuditedClass[] };
  });
  const byOperation = new Map<ReadOperation | undefined, (typeof audited)[number]>();
  for (const [i, entry] of audited.entries()) byOperation.set(document.operations?.[i], entry);
  if (typeof classes === "string") {
    for (const entry of audited) entry.classes.push({ answer: { kind: "undecided", reason: classes } });
  } else {
    for (const requestClass of classes) {
      const [documentedOperation] = requestClass.operations;
      const entry = documentedOperation && byOperation.get(documentedOperation);
      entry?.classes.push(auditor.audit(requestClass, entry.security));
    }
  }
  const listsOperations = zone.operations !== undefined;
  return audited.map(({ operation, security: { unreadSchemes }, classes }) =>
    describeOperation(operation, classes, { unreadSchemes, listsOperations }),
  );
}
