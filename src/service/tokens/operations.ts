/** The operations of a zone, as the world file lists them (`observed`, read-only). */

import type { Operation } from "../../engine/tokens/model.ts";
import { operationQuery } from "../../schemas/tokens.ts";
import type { ReadTransaction } from "../../store/port.ts";
import type { OperationRecord } from "../../store/records/tokens.ts";
import { requireScope, type ServiceContext } from "../context.ts";
import { findPage, type Page, type PageRequest, pageOf, type Slice, sliceOf } from "../paging.ts";
import { acceptQuery } from "../query.ts";
import { readRevision } from "./revision.ts";

const area = "tokens";

/** Filters and page of a list. */
export interface OperationListRequest extends PageRequest {
  /** Any of these hosts, in any letter case. */
  readonly host?: readonly string[] | undefined;
  /** Any of these methods, in any letter case. */
  readonly method?: readonly string[] | undefined;
  /** A part of the path template. */
  readonly endpoint?: string | undefined;
}

/** A page of operations, and whether the zone has a list of them at all. */
export interface OperationPage extends Page<OperationRecord> {
  /** False: each request counts as an operation of its own on its host. */
  readonly hasList: boolean;
}

/** Reads the operations of zones. */
export interface OperationService {
  /** A page of the zone's operations, in the order of the world file. @throws {ApiError} */
  list(zone: string, request?: OperationListRequest): Promise<OperationPage>;
}

/** Creates the service. */
export function operationService({ store }: ServiceContext): OperationService {
  return {
    list: (zone, request = {}) => {
      const query = acceptQuery(operationQuery, request, area);
      const slice = sliceOf(query);
      return store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        const { has_operations: hasList } = await readRevision(tx, zone);
        return { ...(await listOperations(tx, zone, query, slice)), hasList };
      });
    },
  };
}

const order = [{ field: "sequence", direction: "asc" }] as const;

async function listOperations(
  tx: ReadTransaction,
  zone: string,
  request: OperationListRequest,
  slice: Slice,
): Promise<Page<OperationRecord>> {
  const { host, method, endpoint } = request;
  if (host || method || endpoint !== undefined) {
    const all = await tx.find("operations", zone, { order });
    return pageOf(all.filter(operationFilter(request)), slice);
  }
  return findPage(tx, "operations", zone, { order }, slice);
}

/** Whether an operation passes the filters of a list. */
export function operationFilter({ host, method, endpoint = "" }: OperationListRequest) {
  const hosts = host && new Set(host.map((name) => name.toLowerCase()));
  const methods = method && new Set(method.map((name) => name.toUpperCase()));
  return (operation: Operation): boolean =>
    (hosts?.has(operation.host.toLowerCase()) ?? true) &&
    (methods?.has(operation.method.toUpperCase()) ?? true) &&
    operation.endpoint.includes(endpoint);
}
