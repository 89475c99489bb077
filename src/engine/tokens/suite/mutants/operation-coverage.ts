/** Which operations of a zone have a request in a list. */

import { InvalidInputError } from "../../../../errors.ts";
import { routerOf } from "../../analysis/requests/partition.ts";
import type { SimulatedRequest } from "../../model.ts";
import { readRequest } from "../../zone/request.ts";
import { findRoute } from "../../zone/router.ts";
import { readZone, type ZoneInput } from "../../zone/zone-input.ts";

/** The operations of a zone. */
export interface CoveredOperations {
  /** The number of operations. */
  readonly all: number;
  /** The ids of those that no request matches, in the order of the zone. */
  readonly missing: readonly string[];
}

/**
 * Finds the operations that no request matches.
 *
 * @throws InvalidInputError when the zone is invalid
 */
export function coverOperations(input: ZoneInput, requests: readonly SimulatedRequest[]): CoveredOperations {
  const read = readZone(input);
  if (!read.ok) throw new InvalidInputError("The zone cannot be read", read.problems);
  const router = routerOf(read.value);
  const matched = new Set(
    requests.map((request) => {
      const { host, method, path } = readRequest(request, read.value.normalization);
      return router && findRoute(router, host, method, path);
    }),
  );
  const operations = read.value.operations ?? [];
  const missing = operations.filter((operation) => !matched.has(operation));
  return { all: operations.length, missing: missing.map(({ operation }) => operation.operation_id) };
}
