/** Proxy applications: validated against the known facts and stored in one transaction. */

import type { Plan } from "../../engine/proxy/facts/facts.ts";
import type { App, ValidateOptions, Validation } from "../../engine/proxy/model.ts";
import { validateCompiled } from "../../engine/proxy/validate.ts";
import { ApiError } from "../../errors.ts";
import type { QueryOf } from "../../schemas/parameters.ts";
import { proxyAppQuery } from "../../schemas/proxy.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import { appOrderFields, type ProxyAppRecord } from "../../store/records/proxy.ts";
import { type Notes, requireRecord, requireScope, type ServiceContext } from "../context.ts";
import { findPage, type PageRequest, type ResultInfo, sliceOf } from "../paging.ts";
import { acceptQuery } from "../query.ts";
import { formatTimestamp } from "../time.ts";
import { gatherFacts, planOf, referencedIn } from "./facts.ts";
import { notesOf } from "./notes.ts";
import { claim, release } from "./registry.ts";

const area = "proxy";

/** Length of an application's id in hex digits (`observed`). */
const idLength = 32;

/** Order and page of a list. */
export interface AppListRequest extends PageRequest {
  /** Default `dns`. */
  readonly order?: keyof typeof appOrderFields | undefined;
  /** Default `asc`. */
  readonly direction?: "asc" | "desc" | undefined;
}

/** The context of a request. */
export interface Caller {
  /** Whether the credential may set static edge addresses; undefined when unknown. */
  readonly ipPrefixes?: boolean | undefined;
  /** Receives the notes of a successful write. */
  readonly notes?: Notes;
}

/** A stored application with the plan of its account, which decides the members that clients see. */
export interface ProxyApplication extends ProxyAppRecord {
  readonly plan: Plan;
}

/** Operations on the proxy applications of a zone. All throw ApiError when the request is rejected. */
export interface ProxyAppService {
  /** Lists applications; without `page` all of them and no page info, unless the setting `appsPaging` is `always`. */
  list(
    zone: string,
    request?: AppListRequest,
  ): Promise<{ readonly items: readonly ProxyApplication[]; readonly info?: ResultInfo }>;
  /** Returns one application. */
  get(zone: string, id: string): Promise<ProxyApplication>;
  /** Validates and stores a new application. */
  create(zone: string, body: unknown, caller?: Caller): Promise<ProxyApplication>;
  /** PATCH: merges the body into the stored application; null clears a member. */
  edit(zone: string, id: string, body: unknown, caller?: Caller): Promise<ProxyApplication>;
  /** PUT: replaces the stored application. */
  replace(zone: string, id: string, body: unknown, caller?: Caller): Promise<ProxyApplication>;
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
      const query = acceptQuery(proxyAppQuery, request, area);
      return store.read((tx) => listApps(context, tx, zone, query));
    },
    get: (zone, id) =>
      store.read(async (tx) => ({
        ...(await requireRecord(tx, "proxy_apps", zone, id)),
        plan: await planOf(tx, zone),
      })),
    create: async (zone, body, caller = {}) => {
      await injectFaults(context);
      return withNotes(
        await store.write((tx) => createApp(context, tx, zone, body, caller), { queue: zone }),
        caller,
      );
    },
    edit: async (zone, id, body, caller = {}) => {
      await injectFaults(context);
      return withNotes(
        await store.write((tx) => updateApp(context, tx, zone, id, body, "merge", caller), { queue: zone }),
        caller,
      );
    },
    replace: async (zone, id, body, caller = {}) => {
      await injectFaults(context);
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
        const before = await requireRecord(tx, "proxy_apps", zone, id);
        const previous = { ...before.app, id: before.id };
        const facts = await gatherFacts(context, tx, zone, referencedIn(body), caller.ipPrefixes, before);
        return validateCompiled(body, facts, { previous, mode: "replace", ...restrictionsOf(context) });
      }),
  };
}

interface Outcome {
  readonly record: ProxyApplication;
  readonly notes: Notes;
}

/** Returns the record, and passes the notes to the caller. */
function withNotes({ record, notes }: Outcome, caller: Caller): ProxyApplication {
  caller.notes?.push(...notes);
  return record;
}

/** Fails when a fault of DNS or of the address service is injected. */
async function injectFaults({ faults }: ServiceContext): Promise<void> {
  await faults?.before("dns");
  await faults?.before("addresses");
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
  const record = await insertApp(context, tx, zone, newAppId(context), app);
  return { record: { ...record, plan: facts.plan }, notes };
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
  const before = await requireRecord(tx, "proxy_apps", zone, id);
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
  return { record: { ...record, plan: facts.plan }, notes };
}

async function deleteApp(tx: WriteTransaction, zone: string, id: string): Promise<void> {
  const { app, id: stored } = await requireRecord(tx, "proxy_apps", zone, id);
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

async function listApps(
  { settings }: ServiceContext,
  tx: ReadTransaction,
  zone: string,
  query: QueryOf<typeof proxyAppQuery>,
): Promise<{ items: readonly ProxyApplication[]; info?: ResultInfo }> {
  await requireScope(tx, area, "zones", zone);
  const plan = await planOf(tx, zone);
  const shown = (record: ProxyAppRecord): ProxyApplication => ({ ...record, plan });
  const order = [{ field: appOrderFields[query.order], direction: query.direction }] as const;
  if (query.page === undefined && settings.appsPaging === "requested")
    return { items: (await tx.find("proxy_apps", zone, { order })).map(shown) };
  const slice = sliceOf({ ...query, page: query.page ?? 1 });
  const { items, info } = await findPage(tx, "proxy_apps", zone, { order }, slice);
  return { items: items.map(shown), info };
}
