/** Proxy applications: validated by the engine against what is known, stored in the same transaction. */
import type { App, Validation, Violation } from "../../engine/proxy/model.ts";
import { validateCompiled } from "../../engine/proxy/validate.ts";
import { ApiError, type Problem, quote } from "../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { ProxyAppRecord } from "../../store/records/proxy.ts";
import { invalid, type Notes, notFound, requireScope, type ServiceContext } from "../context.ts";
import { type Page, type PageRequest, pageInfo, type ResultInfo, readPage } from "../paging.ts";
import { formatTimestamp } from "../time.ts";
import { gatherFacts, referencedIn } from "./facts.ts";
import { claim, release } from "./registry.ts";

const area = "proxy";

/** 100 at the most, 20 by default (`observed`). */
const pageRule = { default: 20, max: 100, beyond: "clamp" } as const;

/** Hex digits of an application's id (`observed`). */
const idLength = 32;

/** What a list can be ordered by, and the stored field behind it (`observed`). */
const orders = {
  protocol: "protocol",
  app_id: "id",
  created_on: "created_on",
  modified_on: "modified_on",
  dns: "dns_name",
} as const;

export interface AppListRequest extends PageRequest {
  /** One of protocol, app_id, created_on, modified_on and dns (the default). */
  readonly order?: string | undefined;
  readonly direction?: string | undefined;
}

/** What else is known of a request. */
export interface Caller {
  /** Whether the credential may set edge addresses; undefined when nobody said. */
  readonly ipPrefixes?: boolean | undefined;
  readonly notes?: Notes;
}

export interface ProxyAppService {
  /** Without `page` the whole list, and no page info. */
  list(
    zone: string,
    request?: AppListRequest,
  ): Promise<{ readonly items: readonly ProxyAppRecord[]; readonly info?: ResultInfo }>;
  get(zone: string, id: string): Promise<ProxyAppRecord>;
  create(zone: string, body: unknown, caller?: Caller): Promise<ProxyAppRecord>;
  /** PATCH: laid over the stored application; null clears. */
  edit(zone: string, id: string, body: unknown, caller?: Caller): Promise<ProxyAppRecord>;
  /** PUT: in place of the stored application. */
  replace(zone: string, id: string, body: unknown, caller?: Caller): Promise<ProxyAppRecord>;
  delete(zone: string, id: string): Promise<void>;
  /** What a create would find; nothing is stored. */
  validate(zone: string, body: unknown, caller?: Caller): Promise<Validation>;
}

export function proxyAppService(context: ServiceContext): ProxyAppService {
  const { store } = context;
  return {
    list: (zone, request = {}) => {
      const query = readList(request);
      return store.read((tx) => listApps(tx, zone, request, query));
    },
    get: (zone, id) => store.read((tx) => requireApp(tx, zone, id)),
    create: async (zone, body, caller = {}) => {
      beforeWrite(context);
      return answer(await store.write((tx) => createApp(context, tx, zone, body, caller)), caller);
    },
    edit: async (zone, id, body, caller = {}) => {
      beforeWrite(context);
      return answer(
        await store.write((tx) => updateApp(context, tx, zone, id, body, "merge", caller)),
        caller,
      );
    },
    replace: async (zone, id, body, caller = {}) => {
      beforeWrite(context);
      return answer(
        await store.write((tx) => updateApp(context, tx, zone, id, body, "replace", caller)),
        caller,
      );
    },
    delete: (zone, id) => store.write((tx) => deleteApp(tx, zone, id)),
    validate: (zone, body, caller = {}) =>
      store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        return validateCompiled(
          body,
          await gatherFacts(context, tx, zone, referencedIn(body), caller.ipPrefixes),
        );
      }),
  };
}

interface Outcome {
  readonly record: ProxyAppRecord;
  readonly notes: Notes;
}

function answer({ record, notes }: Outcome, caller: Caller): ProxyAppRecord {
  caller.notes?.push(...notes);
  return record;
}

function beforeWrite({ faults }: ServiceContext): void {
  faults?.dns?.();
  faults?.addresses?.();
}

async function createApp(
  context: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  body: unknown,
  { ipPrefixes }: Caller,
): Promise<Outcome> {
  await requireScope(tx, area, "zones", zone);
  const facts = await gatherFacts(context, tx, zone, referencedIn(body), ipPrefixes);
  const { app, notes } = accept(context, validateCompiled(body, facts));
  const now = formatTimestamp(context.clock());
  const record = recordOf(zone, context.ids.hex(idLength), now, now, app);
  await tx.insert("proxy_apps", record);
  await claim(tx, zone, record.id, app);
  return { record, notes };
}

async function updateApp(
  context: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  id: string,
  body: unknown,
  mode: "merge" | "replace",
  { ipPrefixes }: Caller,
): Promise<Outcome> {
  const before = await requireApp(tx, zone, id);
  const previous = { ...before.app, id: before.id };
  const named = referencedIn(body, mode === "merge" ? before.app : undefined);
  const facts = await gatherFacts(context, tx, zone, named, ipPrefixes, before);
  const { app, notes } = accept(context, validateCompiled(body, facts, { previous, mode }));
  const record = recordOf(zone, before.id, before.created_on, formatTimestamp(context.clock()), app);
  await tx.replace("proxy_apps", record);
  await release(tx, before.id, before.app);
  await claim(tx, zone, before.id, app);
  return { record, notes };
}

async function deleteApp(tx: WriteTransaction, zone: string, id: string): Promise<void> {
  const { app, id: stored } = await requireApp(tx, zone, id);
  await tx.delete("proxy_apps", zone, stored);
  await release(tx, stored, app);
}

function recordOf(
  zone: string,
  id: string,
  created_on: string,
  modified_on: string,
  app: App,
): ProxyAppRecord {
  return { scope: zone, id, created_on, modified_on, protocol: app.protocol, dns_name: app.dns.name, app };
}

/** The application of a validation. @throws {ApiError} with the first violation, or all by the setting */
function accept(
  { settings }: ServiceContext,
  validation: Validation,
): { readonly app: App; readonly notes: Notes } {
  const [first, ...rest] = validation.violations.map(problemOf);
  if (first) throw new ApiError(first, ...(settings.proxyErrors === "all" ? rest : []));
  return { app: validation.app!, notes: [...validation.messages] };
}

function problemOf({ code, message, pointers }: Violation): Problem {
  const [pointer] = pointers;
  return { code, message, ...(pointer !== undefined && { pointer }) };
}

async function requireApp(tx: ReadTransaction, zone: string, id: string): Promise<ProxyAppRecord> {
  await requireScope(tx, area, "zones", zone);
  const app = await tx.get("proxy_apps", zone, id.toLowerCase());
  if (!app) throw notFound(area, "proxy application", id);
  return app;
}

function readList({ order = "dns", direction = "asc" }: AppListRequest) {
  if (!Object.hasOwn(orders, order)) {
    const allowed = Object.keys(orders).map(quote).join(", ");
    throw invalid(area, `\`order\` is ${quote(order)}; it must be one of ${allowed}.`);
  }
  if (direction !== "asc" && direction !== "desc") {
    throw invalid(area, `\`direction\` is ${quote(direction)}; it must be \`asc\` or \`desc\`.`);
  }
  return { order: [{ field: orders[order as keyof typeof orders], direction }] } as const;
}

async function listApps(
  tx: ReadTransaction,
  zone: string,
  request: AppListRequest,
  query: ReturnType<typeof readList>,
): Promise<{ items: readonly ProxyAppRecord[]; info?: Page<ProxyAppRecord>["info"] }> {
  const slice = readPage(request, pageRule, area);
  await requireScope(tx, area, "zones", zone);
  if (request.page === undefined) return { items: await tx.find("proxy_apps", zone, query) };
  const total = await tx.count("proxy_apps", zone);
  const items = await tx.find("proxy_apps", zone, { ...query, offset: slice.offset, limit: slice.perPage });
  return { items, info: pageInfo(slice, items.length, total) };
}
