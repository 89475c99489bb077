/**
 * The applications of a world, validated with the facts that the world itself has, as if requests created or changed them
 * one after another. Pure; the interface answers the same from its store (`proxy/facts.ts`).
 */

import { parseIp } from "../../core/address/ip.ts";
import { checks } from "../../engine/proxy/checks/catalogue.ts";
import { checkFacts, compileFacts } from "../../engine/proxy/facts/compile-facts.ts";
import type { Facts, HostnameFact } from "../../engine/proxy/facts/facts.ts";
import {
  type GrowingAccount,
  type GrowingFacts,
  growingAccount,
  type RemoveApp,
} from "../../engine/proxy/facts/growing-facts.ts";
import { foldHostname, parseHostname } from "../../engine/proxy/grammar/hostname.ts";
import type { App, PreviousApp, ValidateOptions, Validation } from "../../engine/proxy/model.ts";
import { readStoredApp, validateCompiled } from "../../engine/proxy/validate.ts";
import { pointer } from "../../errors.ts";
import type { ProxyWorld } from "../context.ts";
import { validateNamed } from "../proxy/member-names.ts";
import { accountOfZone } from "./account-of-zone.ts";
import type { ParsedWorld } from "./part.ts";
import type { World } from "./schema.ts";

/** The members of a world that have facts about applications. */
type WorldFacts = Pick<World, "accounts" | "zones" | "orphaned_edge_ips"> | ParsedWorld;

/** How applications are validated. */
export interface ApplicationSettings extends ProxyWorld, Pick<ValidateOptions, "restrictions"> {}

/** The applications of zones: each is validated against those that were added before. */
export interface AppLedger {
  /** Validates a creation, or with `previous`, which must not be in the ledger then, an update. */
  readonly validate: (zone: string, body: unknown, previous?: PreviousApp) => Validation;
  /** Adds an application. @returns the function that takes it out again */
  readonly add: (zone: string, app: App, id?: string) => RemoveApp;
}

/** A ledger without facts: every check that needs one is reported as not evaluated. All applications are in one zone. */
export function ledgerWithoutFacts(settings: ApplicationSettings): AppLedger {
  const zone = growingAccount(compileFacts(portsOf(settings))).zone(undefined, undefined);
  return ledgerOf(() => zone, settings);
}

/** A ledger with the facts of a world, without its applications. Invalid facts are unknown. */
export function createAppLedger(world: WorldFacts, settings: ApplicationSettings): AppLedger {
  const zones = zonesOf(world);
  const common: Facts = { ...usesOf(world), ...portsOf(settings), apps: [] };
  const accounts = new Map<string | undefined, GrowingAccount>();
  const growing = new Map<string, GrowingFacts>();
  const accountWith = (id: string | undefined): GrowingAccount => {
    const [other] = accounts.values();
    const account =
      accounts.get(id) ?? growingAccount(compileFacts(factsOf(world, zones, id, common)), other?.uses);
    accounts.set(id, account);
    return account;
  };
  const zoneWith = (id: string): GrowingFacts => {
    const zone = zones.get(id);
    const quota = zone?.quota !== undefined && { quota: zone.quota };
    const facts = growing.get(id) ?? accountWith(zone?.account).zone(id, { used: 0, ...quota });
    growing.set(id, facts);
    return facts;
  };
  return ledgerOf(zoneWith, settings);
}

function ledgerOf(zoneWith: (id: string) => GrowingFacts, { restrictions }: ApplicationSettings): AppLedger {
  const options = restrictions && { restrictions };
  return {
    validate: (zone, body, previous) =>
      validateNamed(body, (named) =>
        validateCompiled(named, zoneWith(zone).facts, { ...options, ...(previous && { previous }) }),
      ),
    add: (zone, app, id) => zoneWith(zone).add(app, id),
  };
}

function portsOf({ zoneOf, originAccess }: ApplicationSettings): Facts {
  return { ...(zoneOf && { zoneOf }), ...(originAccess && { originAccess }) };
}

interface ListedZone {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly quota: number | undefined;
  readonly records: Facts["dns_records"];
}

/** The zones by their id. */
function zonesOf({ zones = [], accounts = [] }: WorldFacts): ReadonlyMap<string, ListedZone> {
  const ids = accounts.map(({ id }) => id);
  return new Map(
    zones.map(({ id, name = id, account_id, proxy, dns_records: records }) => {
      const account = accountOfZone(account_id, ids);
      return [id, { id, name, account, quota: proxy?.ipv4_quota, records: records as Facts["dns_records"] }];
    }),
  );
}

/** The facts of an account; undefined for a zone that the world does not list, of which only the uses of others are known. */
function factsOf(
  { accounts = [] }: WorldFacts,
  zones: ReadonlyMap<string, ListedZone>,
  id: string | undefined,
  common: Facts,
): Facts {
  if (id === undefined) return common;
  const own = [...zones.values()].filter(({ account }) => account === id);
  const others = [...zones.values()].filter(({ account }) => account !== id);
  const facts = accounts.find((account) => account.id === id)?.proxy ?? {};
  return {
    ...(checkFacts(facts).length === 0 && (facts as Facts)),
    ...common,
    ...(own[0] && { zone: own[0].id }),
    zones: own.map(({ id, name }) => ({ id, name })),
    other_zones: others.map(({ id, name }) => ({ id, name })),
    dns_records: own.flatMap(({ records = [] }) => records),
  };
}

/** The names and addresses that applications use which requests cannot see. A name belongs to the first zone that has it. */
function usesOf({ zones = [], orphaned_edge_ips: ips = [] }: WorldFacts): Facts {
  const hostnames = new Map<string, HostnameFact>();
  for (const { id, proxy } of zones)
    for (const name of (proxy?.hostnames ?? [])
      .filter((hostname) => parseHostname(hostname).ok)
      .map(foldHostname))
      if (!hostnames.has(name)) hostnames.set(name, { name, zone: id });
  const orphans = ips.filter((ip) => parseIp(ip).ok);
  return {
    hostnames: [...hostnames.values()],
    edge_ips: orphans.map((ip) => ({ ip, zone: "", deleted: true })),
  };
}

/** The application that another one changes or replaces. */
export interface PreviousApplication {
  /** Its id. */
  readonly id: string;
  /** As a request creates it. */
  readonly body: unknown;
  /** Whether the application is a new one, after whose creation this one is deleted. Default: it is changed. */
  readonly isReplaced?: boolean;
}

/** An application with what it was before. */
export interface ApplicationChange {
  readonly zone: string;
  /** As it is written. */
  readonly body: unknown;
  readonly previous?: PreviousApplication | undefined;
}

/** An application of a world, and its validation. */
export interface CheckedApplication extends ApplicationChange {
  /** RFC 6901 pointer into the world. */
  readonly at: string;
  readonly validation: Validation;
}

/**
 * Validates the applications of a world in order, those of all zones: the valid ones are known to the ones after them.
 *
 * @param previousOf what an application was before, by its pointer; by default all are new
 * @param ledger that of the facts; the valid applications are added to it
 */
export function checkApplications(
  world: WorldFacts,
  settings: ApplicationSettings,
  previousOf: (at: string) => PreviousApplication | undefined = () => undefined,
  ledger: AppLedger = createAppLedger(world, settings),
): readonly CheckedApplication[] {
  const changes = (world.zones ?? []).flatMap(({ id: zone, proxy }, i) =>
    (proxy?.applications ?? []).map((body, j) => {
      const at = pointer("zones", i, "proxy", "applications", j);
      return { at, zone, body, previous: previousOf(at) };
    }),
  );
  const validations = validateChanges(changes, ledger);
  return changes.map((change, i) => ({ ...change, validation: validations[i] as Validation }));
}

/** Rounds of changes that wait for others. `chosen` */
const maxRounds = 100;

const statefulChecks = new Set(checks.filter(({ phase }) => phase === "stateful").map(({ id }) => id));

/**
 * Validates changes that are all to be made, in an order of its own: a rejected one is tried again when an accepted one may
 * have freed what it needs. Where no quota counts, a change is rejected only if every order of all rejects one. The valid
 * ones are in the ledger then, and of the others what was before.
 */
export function validateChanges(
  changes: readonly ApplicationChange[],
  ledger: AppLedger,
): readonly Validation[] {
  const steps = changes.map((change) => startStep(change, ledger));
  const isUpdated = steps.some(({ stored }) => stored);
  let pending: readonly Step[] = steps.toSorted((step, other) => urgencyOf(step) - urgencyOf(other));
  for (let round = 0; round < maxRounds && pending.length > 0; round++) {
    const accepted = pending.filter((step) => tryStep(step, ledger));
    const isFreed = accepted.some(({ stored }) => stored);
    pending = isFreed ? pending.filter(isBlocked) : [];
  }
  if (isUpdated) repeatNotes(steps, ledger);
  return steps.map(({ validation }) => validation as Validation);
}

/** A change on its way. */
interface Step extends ApplicationChange {
  /** The previous application, as the service has it. */
  readonly stored: (App & { readonly id: string }) | undefined;
  /** Takes what the ledger has of it out again. */
  leave: RemoveApp;
  validation?: Validation;
}

function startStep(change: ApplicationChange, ledger: AppLedger): Step {
  const { zone, previous } = change;
  const app = previous && readStoredApp(previous.body);
  if (!app) return { ...change, stored: undefined, leave: () => {} };
  return { ...change, stored: { ...app, id: previous.id }, leave: ledger.add(zone, app, previous.id) };
}

/** Replacements need room for two, updates free what creations may need: in this order fewest changes wait. */
function urgencyOf({ stored, previous }: Step): number {
  if (!stored) return 2;
  return previous?.isReplaced ? 0 : 1;
}

/** The application that a change updates; undefined for a creation. */
function updatedBy({ stored, previous }: Step): Step["stored"] {
  return previous?.isReplaced ? undefined : stored;
}

/** Makes a change if it is valid; else the ledger is as it was. */
function tryStep(step: Step, ledger: AppLedger): boolean {
  const { zone, body } = step;
  const updated = updatedBy(step);
  if (updated) step.leave();
  step.validation = ledger.validate(zone, body, updated);
  const { app } = step.validation;
  if (app && !updated) step.leave();
  const now = app ?? updated;
  if (now) step.leave = ledger.add(zone, now, updated?.id);
  return app !== undefined;
}

/** Whether the other applications reject a change, as far as they are changed. */
function isBlocked({ validation }: Step): boolean {
  return validation?.violations.some(({ rule }) => statefulChecks.has(rule)) ?? false;
}

/** Notes about applications that were changed later are no longer true: those of the end, in order, are. */
function repeatNotes(steps: readonly Step[], ledger: AppLedger): void {
  const made = steps.filter(({ validation }) => validation?.app);
  for (const { leave } of made) leave();
  for (const step of made) {
    const { zone, body, validation } = step;
    const updated = updatedBy(step);
    const found = ledger.validate(zone, body, updated);
    if (found.app) step.validation = found;
    if (validation?.app) step.leave = ledger.add(zone, validation.app, updated?.id);
  }
}
