/** The operations of a zone with the effect of a rule that is not stored (`observed`). */
import {
  type OperationState,
  type PreviewedOperation,
  selectorPreview,
} from "../../engine/tokens/zone/selector.ts";
import type { GivenQuery, QueryOf } from "../../schemas/parameters.ts";
import { previewQuery } from "../../schemas/tokens.ts";
import { type Notes, rejectAny, requireScope, type ServiceContext } from "../context.ts";
import { type Page, pageOf, sliceOf } from "../paging.ts";
import { acceptQuery } from "../query.ts";
import { operationFilter } from "./operations.ts";
import { checkReferences, checkTemplates, readPreviewed } from "./read-rule.ts";
import { readRevision } from "./revision.ts";

const area = "tokens";

/** Filters and page of the operations of a preview. */
export type PreviewRequest = GivenQuery<typeof previewQuery>;

/** The effect of a selector on a zone. Counts and hosts are those of all operations, whatever the filters. */
export interface RulePreview extends Page<PreviewedOperation> {
  /** Number of operations by state. */
  readonly counts: Readonly<Record<OperationState, number>>;
  /** Number of operations of the zone. */
  readonly total: number;
  /** The hosts of all operations, without repetition. */
  readonly availableHosts: readonly string[];
  /** The hosts of the operations that are included, without repetition. */
  readonly selectedHosts: readonly string[];
  /** False: each request counts as an operation of its own on its host. */
  readonly hasList: boolean;
}

/** Reads the selector of a body, checks it as a rule to be stored, and previews it; remarks on the body are added to `notes`. @throws {ApiError} */
export async function previewRule(
  context: ServiceContext,
  zone: string,
  body: unknown,
  request: PreviewRequest,
  notes: Notes,
): Promise<RulePreview> {
  const query = acceptQuery(previewQuery, request, area);
  const isShown = compileFilter(query);
  const given = readPreviewed(context, body, notes);
  const { selector = {} } = given;
  const { operations, hasList, added } = await context.store.read(async (tx) => {
    await requireScope(tx, area, "zones", zone);
    // A read can be repeated.
    const added: Notes = [];
    rejectAny([
      ...(await checkReferences(tx, zone, [given])),
      ...(await checkTemplates(tx, zone, context, [given], added)),
    ]);
    const order = [{ field: "sequence", direction: "asc" }] as const;
    const { has_operations: hasList } = await readRevision(tx, zone);
    return { operations: await tx.find("operations", zone, { order }), hasList, added };
  });
  notes.push(...added);
  const preview = selectorPreview(selector, operations);
  return {
    ...pageOf(preview.operations.filter(isShown), sliceOf(query)),
    counts: preview.counts,
    total: operations.length,
    availableHosts: hostsOf(operations),
    selectedHosts: hostsOf(preview.operations.filter(({ state }) => state === "included")),
    hasList,
  };
}

function hostsOf(operations: readonly { readonly host: string }[]): readonly string[] {
  return [...new Set(operations.map(({ host }) => host.toLowerCase()))];
}

/** Whether an operation passes every filter. */
function compileFilter({ state, host, hostname, method, endpoint }: QueryOf<typeof previewQuery>) {
  const holds = [operationFilter({ host, method }), operationFilter({ host: hostname })];
  return (operation: PreviewedOperation): boolean =>
    holds.every((test) => test(operation)) &&
    (state?.includes(operation.state) ?? true) &&
    (endpoint?.some((part) => operation.endpoint.includes(part)) ?? true);
}
