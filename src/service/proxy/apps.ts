/** Proxy applications: validated against the known facts and stored in one transaction. */

import type { App, ValidateOptions, Validation } from "../../engine/proxy/model.ts";
import { validateCompiled } from "../../engine/proxy/validate.ts";
import { ApiError, quote } from "../../errors.ts";
import { pageSizes } from "../../schemas/envelope.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import { appOrderFields, type ProxyAppRecord } from "../../store/records/proxy.ts";
import { invalid, type Notes, notFound, requireScope, type ServiceContext } from "../context.ts";
import { type Page, type PageRequest, pageInfo, type ResultInfo, readPage } from "../paging.ts";
import { formatTimestamp } from "../time.ts";
import { gatherFacts, referencedIn } from "./facts.ts";
import { notesOf } from "./notes.ts";
import { claim, release } from "./registry.ts";

const area = "proxy";

/** At most 100 per page, 20 by default (`observed`). */
const pageRule = { ...pageSizes.proxy, beyond: "clamp" } as const;

/** Length of an application's id in hex digits (`observed`). */
const idLength = 32;

/** Order and page of a list. */
export interface AppListRequest extends PageRequest {
  /** One of protocol, app_id, created_on, modified_on and dns (the default). */
  readonly order?: string | undefined;
  /** `asc` (the default) or `desc`. */
  readonly direction?: string | undefined;
}

/** The context of a request. */
export interface Caller {
  /** Whether the credential may set static edge addresses; undefined when unknown. */
  readonly ipPrefixes?: boolean | undefined;
  /** Receives the notes of a successful write. */
  readonly notes?: Notes;
}

/** Operations on the proxy applications of a zone. All throw ApiError when the request is rejected. */
export interface ProxyAppService {
  /** Lists applications; without `page` all of them and no page info, unless the setting `appsPaging` is `always`. */
  list(
    zone: string,
    request?: AppListRequest,
  ): Promise<{ readonly items: readonly ProxyAppRecord[]; readonly info?: ResultInfo }>;
  /** Returns one application. */
  get(zone: string, id: string): Promise<ProxyAppRecord>;
  /** Validates and stores a new application. */
  create(zone: string, body: unknown, caller?: Caller): Promise<ProxyAppRecord>;
  /** PATCH: merges the body into the stored application; null clears a member. */
  edit(zone: string, id: string, body: unknown, caller?: Caller): Promise<ProxyAppRecord>;
  /** PUT: replaces the stored application. */
  replace(zone: string, id: string, body: unknown, caller?: Caller): Promise<ProxyAppRecord>;
  /** Deletes an application and releases its host name and edge addresses. */
  delete(zone: string, id: string): Promise<void>;
  /** Validates a new application without storing it. */
  validate(zone: string, body: unknown, caller?: Caller): Promise<Validation>;
  /** Validates a replacement of a stored application without storing it. */
  validateReplacement(zone: string, id: string, body: unknown, caller?: Caller): Promise<Validation>;
}

/** Creates the service. */
export function proxyAppService(context: ServiceContext): ProxyAppService {
  const { store } = context;
  return {
    list: (zone, request = {}) => {
      const query = readList(request);
      return store.read((tx) => listApps(context, tx, zone, request, query));
    },
    get: (zone, id) => store.read((tx) => requireApp(tx, zone, id)),
    create: async (zone, body, caller = {}) => {
      injectFaults(context);
      return withNotes(
        await store.write((tx) => createApp(context, tx, zone, body, caller), { queue: zone }),
        caller,
      );
    },
    edit: async (zone, id, body, caller = {}) => {
      injectFaults(context);
      return withNotes(
        await store.write((tx) => updateApp(context, tx, zone, id, body, "merge", caller), { queue: zone }),
        caller,
      );
    },
    replace: async (zone, id, body, caller = {}) => {
      injectFaults(context);
      return withNotes(
        await store.write((tx) => updateApp(context, tx, zone, id, body, "replace", caller), { queue: zone }),
        caller,
      );
    },
    delete: (zone, id) => store.write((tx) => deleteApp(tx, zone, id), { queue: zone }),
    validate: (zone, body, caller = {}) =>
      store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        return validateCompiled(
          body,
          await gatherFacts(context, tx, zone, referencedIn(body), caller.ipPrefixes),
          restrictionsOf(context),
        );
      }),
    validateReplacement: (zone, id, body, caller = {}) =>
      store.read(async (tx) => {
        const before = await requireApp(tx, zone, id);
        const previous = { ...before.app, id: before.id };
        const facts = await gatherFacts(context, tx, zone, referencedIn(body), caller.ipPrefixes, before);
        return validateCompiled(body, facts, { previous, mode: "replace", ...restrictionsOf(context) });
      }),
  };
}

interface Outcome {
  readonly record: ProxyAppRecord;
  readonly notes: Notes;
}

/** Returns the record, and passes the notes to the caller. */
function withNotes({ record, notes }: Outcome, caller: Caller): ProxyAppRecord {
  caller.notes?.push(...notes);
  return record;
}

/** Fails when a test has switched DNS or the address service off. */
function injectFaults({ faults }: ServiceContext): void {
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
  const { app, notes } = requireValid(context, validateCompiled(body, facts, restrictionsOf(context)));
  return { record: await insertApp(context, tx, zone, newAppId(context), app), notes };
}

/** Whether restrictions of the provider reject an application. */
export function restrictionsOf({ settings }: ServiceContext): Pick<ValidateOptions, "restrictions"> {
  return { restrictions: settings.restrictions };
}

/** Draws the id of an application. */
export function newAppId({ ids }: ServiceContext): string {
  return ids.hex(idLength);
}

/** Stores a valid application, and claims its host name and edge addresses. */
export async function insertApp(
  { clock }: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  id: string,
  app: App,
): Promise<ProxyAppRecord> {
  const now = formatTimestamp(clock());
  const record = recordOf(zone, id, now, now, app);
  await tx.insert("proxy_apps", record);
  await claim(tx, zone, id, app);
  return record;
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
  const { app, notes } = requireValid(
    context,
    validateCompiled(body, facts, { previous, mode, ...restrictionsOf(context) }),
  );
  const record = recordOf(zone, before.id, before.created_on, formatTimestamp(context.clock()), app);
  await tx.replace("proxy_apps", record);
  await release(tx, zone, before.id, before.app);
  await claim(tx, zone, before.id, app);
  return { record, notes };
}

async function deleteApp(tx: WriteTransaction, zone: string, id: string): Promise<void> {
  const { app, id: stored } = await requireApp(tx, zone, id);
  await tx.delete("proxy_apps", zone, stored);
  await release(tx, zone, stored, app);
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

/** The application of a valid body. @throws {ApiError} with the first violation, or with all by the setting `proxyErrors` */
function requireValid(
  { settings }: ServiceContext,
  validation: Validation,
): { readonly app: App; readonly notes: Notes } {
  const [first, ...rest] = validation.violations;
  if (first) throw new ApiError(first, ...(settings.proxyErrors === "all" ? rest : []));
  if (!validation.app) throw new TypeError("A validation without violations must have an application");
  return { app: validation.app, notes: notesOf(validation) };
}

async function requireApp(tx: ReadTransaction, zone: string, id: string): Promise<ProxyAppRecord> {
  await requireScope(tx, area, "zones", zone);
  const app = await tx.get("proxy_apps", zone, id.toLowerCase());
  if (!app) throw notFound(area, "proxy application", id);
  return app;
}

function readList({ order = "dns", direction = "asc" }: AppListRequest) {
  if (!isOrder(order)) {
    const allowed = Object.keys(appOrderFields).map(quote).join(", ");
    throw invalid(area, `\`order\` must be one of ${allowed}; found ${quote(order)}.`);
  }
  if (direction !== "asc" && direction !== "desc") {
    throw invalid(area, `\`direction\` must be \`asc\` or \`desc\`; found ${quote(direction)}.`);
  }
  return { order: [{ field: appOrderFields[order], direction }] } as const;
}

function isOrder(value: string): value is keyof typeof appOrderFields {
  return Object.hasOwn(appOrderFields, value);
}

async function listApps(
  { settings }: ServiceContext,
  tx: ReadTransaction,
  zone: string,
  request: AppListRequest,
  query: ReturnType<typeof readList>,
): Promise<{ items: readonly ProxyAppRecord[]; info?: Page<ProxyAppRecord>["info"] }> {
  const slice = readPage(request, pageRule, area);
  await requireScope(tx, area, "zones", zone);
  if (request.page === undefined && settings.appsPaging === "requested")
    return { items: await tx.find("proxy_apps", zone, query) };
  const total = await tx.count("proxy_apps", zone);
  const items = await tx.find("proxy_apps", zone, { ...query, offset: slice.offset, limit: slice.perPage });
  return { items, info: pageInfo(slice, items.length, total) };
}
