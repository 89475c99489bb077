/** Reads the configuration of a zone and of its account from the management interface, with GET requests only. */
import type { Placed } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { quote, withArticle } from "../../errors.ts";
import { wireNames } from "../../http/wire-names.ts";
import { leftOut } from "../../import/import-rules.ts";
import { envelopeFault } from "../../import/interface/envelope.ts";
import { type ListedObject, listObjects } from "../../import/interface/list-objects.ts";
import { kindByShape } from "../../import/interface/shapes.ts";
import { startOf } from "../../import/origin.ts";
import type { ResourceKind } from "../../import/reading.ts";
import { kindNouns } from "../../import/resources/nouns.ts";
import { type Effect, type Undecided, undecidedPart } from "../../import/undecided.ts";
import { type MissingPart, missingParts } from "../../import/world/missing-parts.ts";
import { UsageError } from "../command.ts";
import type { ApiAnswer, ApiClient } from "./api-client.ts";
import { type PulledRulesets, pullRulesets } from "./pull-rulesets.ts";

/** A response, as the reader of saved responses accepts it. */
export interface PulledDocument {
  /** The path with its query. */
  readonly path: string;
  /** The envelope. */
  readonly envelope: JsonObject;
}

/** Everything that was read. */
export interface PulledZone {
  readonly zone: { readonly id: string; readonly name: string };
  readonly documents: readonly PulledDocument[];
  /** Parts that the zone does not have, or that were not asked for. */
  readonly dropped: readonly Placed[];
  /** Parts that could not be read. */
  readonly undecided: readonly Undecided[];
  /** The custom rules, whose documents are among the others. */
  readonly rulesets: PulledRulesets;
  /** Whether the zone has a list of operations, and it is empty: no request is an operation then. */
  readonly hasNoOperations: boolean;
}

interface Part {
  readonly part: string;
  readonly path: string;
  /** Elements of a page; absent for lists without pages. */
  readonly perPage?: number;
  /** The subject that is undecided without it. */
  readonly about: Undecided["about"];
  /** The answers that depend on it. */
  readonly effect?: Effect;
  /** The kind of its elements; absent for those that a world file cannot have without a picture. */
  readonly kind?: ResourceKind;
  /** Whether it is an object, not a list. */
  readonly isSingle?: true;
}

const { intel, app_service } = wireNames.provider;

const operationsPart = "operations";

function zoneParts(zone: string): readonly Part[] {
  const at = `/zones/${zone}`;
  return [
    {
      part: "token configurations",
      path: `${at}/token_validation/config`,
      perPage: 50,
      kind: "token_config",
      ...missingParts.token_config,
    },
    {
      part: "token rules",
      path: `${at}/token_validation/rules`,
      perPage: 50,
      kind: "token_rule",
      ...missingParts.token_rule,
    },
    {
      part: operationsPart,
      path: `${at}/api_gateway/operations`,
      perPage: 50,
      kind: "operation",
      ...missingParts.operation,
    },
    {
      part: "settings of URL normalization",
      path: `${at}/url_normalization`,
      kind: "url_normalization",
      isSingle: true,
      ...missingParts.url_normalization,
    },
    {
      part: "proxy applications",
      path: `${at}/${app_service}/apps`,
      perPage: 100,
      kind: "proxy_application",
      ...missingParts.proxy_application,
    },
  ];
}

function accountParts(account: string, withSecrets: boolean): readonly Part[] {
  const at = `/accounts/${account}`;
  const brand = `${at}/${intel}/v2/brand-protection`;
  return [
    { part: "image variants", path: `${at}/images/v1/variants`, about: "images", kind: "image_variant" },
    ...(withSecrets ? [keysPart(at)] : []),
    { part: "domain queries", path: `${brand}/domain/queries`, about: "brand", kind: "domain_query" },
    { part: "logo queries", path: `${brand}/logo/queries`, about: "brand" },
  ];
}

function keysPart(account: string): Part {
  return { part: "signing keys", path: `${account}/images/v1/keys`, about: "images", kind: "image_key" };
}

/** @throws {UsageError} when the zone cannot be read */
export async function pullZone(client: ApiClient, wanted: string, withSecrets: boolean): Promise<PulledZone> {
  const zone = await findZone(client, wanted);
  const { id, name, account } = zone;
  const documents: PulledDocument[] = [{ path: `/zones/${id}`, envelope: envelopeOf(zone) }];
  const dropped: Placed[] = [];
  const undecided: Undecided[] = [];
  const empty = new Set<string>();
  const parts = [...zoneParts(id), ...(account === undefined ? [] : accountParts(account, withSecrets))];
  for (const part of parts) {
    const read = await readPart(client, part);
    if ("documents" in read) documents.push(...read.documents);
    else undecided.push(unreadPart(part, read.reason, id));
    if ("isEmpty" in read && read.isEmpty) empty.add(part.part);
  }
  const rulesets = await pullRulesets(client, id, account);
  documents.push(...rulesets.documents);
  // The world has a rule in their place, which makes the verdicts undecided.
  for (const { part, path, reason } of rulesets.unread)
    undecided.push(unreadPart({ part, path, about: "rule", effect: { hosts: [] } }, reason, id));
  if (account === undefined) undecided.push(...accountlessParts(id));
  if (!withSecrets && account !== undefined)
    dropped.push(absentPart(keysPart(`/accounts/${account}`), "secrets need --with-secrets"));
  const hasNoOperations = empty.has(operationsPart);
  return { zone: { id, name }, documents, dropped, undecided, rulesets, hasNoOperations };
}

/** Custom rules of an account are rules of its zones. */
function accountlessParts(zone: string): readonly Undecided[] {
  const reason = "the answer about the zone does not name its account";
  const unread = (part: string, missing: MissingPart) =>
    unreadPart({ part, path: `/zones/${zone}`, ...missing }, reason, zone);
  return [
    unread("custom rules and lists of the account", { about: "rule", effect: {} }),
    unread("image variants", { about: "images" }),
    unread("domain queries and logo queries", { about: "brand" }),
  ];
}

function absentPart({ part, path }: Part, reason: string): Placed {
  return leftOut(
    { file: { place: () => startOf(path) }, pointer: "" },
    `The ${part} are left out: ${reason}.`,
  );
}

function unreadPart({ part, path, about, effect }: Part, reason: string, id: string): Undecided {
  const zone = about === "images" || about === "brand" ? undefined : id;
  const message = `The ${part} could not be read: ${reason}.`;
  const run = "pull again, with a token that may read them";
  return undecidedPart(startOf(path), { about, zone, message, run, effect });
}

interface FoundZone extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly account: string | undefined;
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** By its name first, since a name cannot be an id; ids of the service are 32 hex digits (`observed`). */
async function findZone(client: ApiClient, wanted: string): Promise<FoundZone> {
  if (!/^[0-9a-f]{32}$/i.test(wanted)) {
    const found = await zonesNamed(client, wanted);
    const [only, ...more] = found;
    if (more.length > 0) {
      const ids = found.map((zone) => quote(zone["id"])).join(", ");
      throw new UsageError(
        `--zone: ${found.length} zones have the name ${quote(wanted)}; give one of the ids ${ids}`,
      );
    }
    if (only) return readZone(only);
  }
  if (idPattern.test(wanted)) {
    const answer = await client.get(`/zones/${wanted}`);
    if (answer.ok && isJsonObject(answer.body)) return readZone(answer.body["result"]);
    if (!answer.ok && answer.status !== 404) throw rejected("the zone", answer);
  }
  throw new UsageError(`--zone: the API token sees no zone with the name or id ${quote(wanted)}`);
}

async function zonesNamed(client: ApiClient, name: string): Promise<readonly JsonObject[]> {
  const answer = await client.get(`/zones?name=${encodeURIComponent(name)}`);
  if (!answer.ok) throw rejected("the zones", answer);
  const result = isJsonObject(answer.body) ? answer.body["result"] : undefined;
  // A server that ignores the filter would answer with every zone.
  return listOf(result, "/zones").filter((zone) => zone["name"] === name.toLowerCase());
}

function rejected(what: string, { status, message }: Extract<ApiAnswer, { ok: false }>): UsageError {
  const hint =
    status === 401 || status === 403 ? "; CLOUDFLARE_API_TOKEN must hold a token that may read it" : "";
  return new UsageError(`cannot read ${what}: status ${status}, ${message}${hint}`);
}

function readZone(value: unknown): FoundZone {
  const { id, name, account } = isJsonObject(value) ? value : {};
  const accountId = isJsonObject(account) ? account["id"] : undefined;
  const isUsable = isId(id) && typeof name === "string" && (accountId === undefined || isId(accountId));
  if (!isUsable || !isJsonObject(value))
    throw new UsageError(`the zone must have an id, a name and an account; found ${quote(value)}`);
  return { ...value, id, name, account: accountId } as FoundZone;
}

/** Ids become parts of paths. */
function isId(value: unknown): value is string {
  return typeof value === "string" && idPattern.test(value);
}

function envelopeOf({ id, name, account, plan }: FoundZone): JsonObject {
  // Name servers are the mark of a zone without an account.
  const owner = account === undefined ? { name_servers: [] } : { account: { id: account } };
  return { success: true, result: { id, name, ...owner, ...(isJsonObject(plan) && { plan }) } };
}

type PartAnswer =
  | { readonly documents: readonly PulledDocument[]; readonly isEmpty: boolean }
  | { readonly reason: string };

/** Maximum number of pages of a part: far above what the service stores (`chosen`). */
const maxPages = 400;

/** A failure is the reason why the part is undecided; it never makes the part empty. */
async function readPart(client: ApiClient, part: Part): Promise<PartAnswer> {
  try {
    return await readPages(client, part);
  } catch (error) {
    if (error instanceof UsageError) return { reason: error.message };
    throw error;
  }
}

async function readPages(client: ApiClient, part: Part): Promise<PartAnswer> {
  const documents: PulledDocument[] = [];
  let previous = "";
  for (let page = 1; ; page++) {
    const query = part.perPage === undefined ? "" : `?page=${page}&per_page=${part.perPage}`;
    const path = part.path + query;
    const answer = await client.get(path);
    if (!answer.ok) return { reason: `status ${answer.status}, ${answer.message.replace(/\.$/, "")}` };
    const envelope = asEnvelope(answer.body, path);
    const { result } = envelope;
    const list = part.perPage === undefined ? [] : listOf(result, path);
    assertElements(part, result, path);
    if (part.perPage === undefined) return { documents: [{ path, envelope }], isEmpty: false };
    const count = list.length;
    if (count > 0) documents.push({ path, envelope });
    if (count < pageSize(envelope, part.perPage))
      return { documents, isEmpty: documents.length === 0 && !hasNote(envelope) };
    const text = JSON.stringify(result);
    if (text === previous || page >= maxPages)
      throw new UsageError(`GET ${path}: the pages of the ${part.part} do not end`);
    previous = text;
  }
}

/** A body without an envelope, as the specification has it for domain queries, in one. */
function asEnvelope(body: unknown, path: string): JsonObject {
  if (Array.isArray(body)) return { success: true, result: body };
  const fault = isJsonObject(body) ? envelopeFault(body) : `expected a result; found ${quote(body)}`;
  if (fault === undefined && isJsonObject(body)) return { success: true, ...body };
  throw new UsageError(`GET ${path}: ${fault}`);
}

/** A part with another element than expected is not the whole part. @throws {UsageError} */
function assertElements({ kind, isSingle }: Part, result: unknown, path: string): void {
  const listed = listObjects("", result);
  const noun = withArticle(kind === undefined ? "object" : kindNouns[kind][0]);
  const elements = Array.isArray(result) ? result : [];
  const isOther = ({ object }: ListedObject) =>
    kind === undefined ? Object.keys(object).length === 0 : kindByShape(object) !== kind;
  const wrong: unknown[] = [
    ...elements.filter((element) => !isJsonObject(element)),
    ...listed.filter(isOther).map(({ object }) => object),
    ...(isSingle && listed.length === 0 ? [result] : []),
  ];
  if (wrong.length > 0) throw new UsageError(`GET ${path}: ${noun} is expected; found ${quote(wrong[0])}`);
}

function listOf(result: unknown, path: string): readonly JsonObject[] {
  if (Array.isArray(result) && result.every(isJsonObject)) return result;
  throw new UsageError(`GET ${path}: \`result\` must be a list of objects; found ${quote(result)}`);
}

/** The size of a full page: a server can use smaller pages than the request asks for. */
function pageSize({ result_info: info }: JsonObject, asked: number): number {
  const used = isJsonObject(info) ? info["per_page"] : undefined;
  return typeof used === "number" && used >= 1 && used < asked ? used : asked;
}

/** Whether the server says more about an empty list: edgeproof does where a zone has no list at all. */
function hasNote({ messages }: JsonObject): boolean {
  return Array.isArray(messages) && messages.length > 0;
}
