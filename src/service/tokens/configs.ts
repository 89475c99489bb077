/** Token configurations: the locations of a zone's tokens, and the keys that verify them. */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { references } from "../../engine/tokens/expression/references.ts";
import { withoutSecret } from "../../engine/tokens/jwt/keys/key-format.ts";
import { importKeys } from "../../engine/tokens/jwt/keys/key-set.ts";
import { identityOf, type MergedKeys, mergeKeys } from "../../engine/tokens/jwt/keys/merge-keys.ts";
import type { JwtKey, ShownKey } from "../../engine/tokens/model.ts";
import { checkTokenSources } from "../../engine/tokens/zone/token-source.ts";
import { type CodedDiagnostic, note, pointer, problem, quote } from "../../errors.ts";
import { pageQuery } from "../../schemas/envelope.ts";
import { configCreate, configPatch, credentialsPut, tokenBounds } from "../../schemas/tokens.ts";
import type { WriteTransaction } from "../../store/port.ts";
import type { TokenConfigRecord } from "../../store/records/tokens.ts";
import {
  type CheckContext,
  genericCodes,
  invalid,
  type Notes,
  prefixPointers,
  rejectAny,
  requireRecord,
  requireScope,
  restrict,
  type ServiceContext,
} from "../context.ts";
import { decode } from "../decode.ts";
import { findPage, type Page, type PageRequest, sliceOf } from "../paging.ts";
import { acceptQuery } from "../query.ts";
import { formatTimestamp } from "../time.ts";
import { mapInTurns } from "./in-turns.ts";
import { bumpRevision } from "./revision.ts";
import { checkTitleAndDescription } from "./title-and-description.ts";

const area = "tokens";

const sourceCount = tokenBounds.token_sources;

/** The sequence that orders configurations. */
const sequenceName = "token_configs";

/** A configuration without the secrets of its keys: no use case returns them. */
export interface ShownConfig extends Omit<TokenConfigRecord, "credentials"> {
  readonly credentials: { readonly keys: readonly ShownKey[] };
}

function shown(config: TokenConfigRecord): ShownConfig {
  return { ...config, credentials: { keys: config.credentials.keys.map(withoutSecret) } };
}

/** Use cases of token configurations. Every method rejects with an `ApiError` that has all problems of the input. */
export interface TokenConfigService {
  /** A page of the zone's configurations, in order of creation. */
  list(zone: string, request?: PageRequest): Promise<Page<ShownConfig>>;
  /** A configuration by its id, in any letter case. */
  get(zone: string, id: string): Promise<ShownConfig>;
  /** Creates a configuration; remarks on the body are added to `notes`. */
  create(zone: string, body: unknown, notes?: Notes): Promise<ShownConfig>;
  /** Changes the members that are given; remarks on the body are added to `notes`. */
  edit(zone: string, id: string, body: unknown, notes?: Notes): Promise<ShownConfig>;
  /** Deletes a configuration that no rule uses. */
  delete(zone: string, id: string): Promise<void>;
  /** Replaces the keys and returns them as stored, without secrets; remarks on the body are added to `notes`. */
  putCredentials(zone: string, id: string, body: unknown, notes?: Notes): Promise<readonly ShownKey[]>;
  /**
   * Replaces the keys, of which those with the `alg` and `kid` of a stored one keep the members that are left out, and
   * returns them as stored, without secrets; remarks on the body, and on keys that were removed, are added to `notes`.
   */
  editCredentials(zone: string, id: string, body: unknown, notes?: Notes): Promise<readonly ShownKey[]>;
}

/** Creates the service. */
export function tokenConfigService(context: ServiceContext): TokenConfigService {
  const { store } = context;
  return {
    list: (zone, request = {}) => {
      const slice = sliceOf(acceptQuery(pageQuery, request, area));
      return store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        const order = [{ field: "sequence", direction: "asc" }] as const;
        const { items, info } = await findPage(tx, "token_configs", zone, { order }, slice);
        return { items: items.map(shown), info };
      });
    },
    get: (zone, id) => store.read(async (tx) => shown(await requireRecord(tx, "token_configs", zone, id))),
    create: async (zone, body, notes = []) => {
      const fields = readCreate(context, body, notes);
      const id = context.ids.uuid();
      return shown(await store.write((tx) => createConfig(context, tx, zone, id, fields), { queue: zone }));
    },
    edit: async (zone, id, body, notes = []) => {
      const patch = decode(configPatch, body, { area, notes, elsewhere });
      rejectAny(checkConfig(context, patch, notes));
      return shown(await changeConfig(context, zone, id, () => patch));
    },
    delete: (zone, id) => store.write((tx) => deleteConfig(tx, zone, id), { queue: zone }),
    putCredentials: async (zone, id, body, notes = []) => {
      const { keys } = decode(credentialsPut, body, { area, notes });
      const credentials = { keys: importConfigKeys(context, keys, "/keys", notes) };
      return shown(await changeConfig(context, zone, id, () => ({ credentials }))).credentials.keys;
    },
    editCredentials: async (zone, id, body, notes = []) => {
      const { keys } = decode(credentialsPut, body, { area, notes });
      let added: Notes = [];
      const changed = await changeConfig(context, zone, id, (before) => {
        // A transaction can be repeated.
        added = [];
        const merged = mergeKeys(before.credentials.keys, keys, context.settings.invalidKeys);
        const imported = importConfigKeys(context, merged.keys, "/keys", added);
        rejectAny(droppedKeys(merged, imported, added));
        if (merged.removed.length > 0) added.push(removedNote(merged.removed));
        return { credentials: { keys: imported } };
      });
      notes.push(...added);
      return shown(changed).credentials.keys;
    },
  };
}

/** Members that the edit of a configuration does not change, and what changes them. */
const elsewhere = {
  credentials:
    "`credentials` is not changed here and was ignored; PUT or PATCH of `credentials` below this path changes it.",
  token_type: "`token_type` cannot be changed and was ignored; it is always `JWT`.",
};

/** A client may expect that PATCH keeps the keys that it does not name. */
function removedNote(keys: readonly JwtKey[]): Diagnostic {
  const named = keys.slice(0, 3).map(({ kid, alg }) => `${quote(kid)} (${alg})`);
  const more = keys.length > 3 ? ` and ${keys.length - 3} more` : "";
  const message = `\`keys\` is the whole set: the stored keys ${named.join(", ")}${more} were removed, because the body does not name them.`;
  return note("valueNoted", message, "/keys");
}

/** A stored key that a client makes invalid is a problem in every mode: it is never dropped. */
function droppedKeys(
  { stored }: MergedKeys,
  imported: readonly JwtKey[],
  notes: readonly Diagnostic[],
): CodedDiagnostic[] {
  const left = new Set(imported.map(identityOf));
  return stored.flatMap((key, i) => {
    if (key === undefined || left.has(identityOf(key))) return [];
    const at = `/keys${pointer(i)}`;
    const reason = notes.find((note) => note.pointer === at)?.message ?? "The key is not valid";
    return [problem(genericCodes.tokens.invalid, `${reason}; a stored key is not dropped.`, at)];
  });
}

/** The members of a configuration that a request sets. */
export type ConfigFields = Pick<
  TokenConfigRecord,
  "title" | "description" | "token_type" | "token_sources" | "credentials"
>;

/** Reads the body of a create. @throws {ApiError} with every problem */
export function readCreate(context: CheckContext, body: unknown, notes: Notes, at = ""): ConfigFields {
  const input = decode(configCreate, body, { area, notes, at });
  const problems = checkConfig(context, input, notes, at);
  const keys = importConfigKeys(context, input.credentials.keys, `${at}/credentials/keys`, notes, problems);
  const { title, description, token_sources } = input;
  return { title, description, token_type: "JWT", token_sources, credentials: { keys } };
}

/** Stores a new configuration after the others. */
export async function createConfig(
  { clock, settings }: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  id: string,
  fields: ConfigFields,
): Promise<TokenConfigRecord> {
  await requireScope(tx, area, "zones", zone);
  const count = await tx.count("token_configs", zone);
  const max = settings.configsPerZone;
  if (count >= max) {
    throw invalid(area, `A zone must have at most ${max} configurations; this one has ${count} already.`);
  }
  const sequence = await tx.sequence(zone, sequenceName);
  const now = formatTimestamp(clock());
  const record = { scope: zone, id, sequence, created_at: now, last_updated: now, ...fields };
  await tx.insert("token_configs", record);
  await bumpRevision(tx, zone);
  return record;
}

async function changeConfig(
  { store, clock }: ServiceContext,
  zone: string,
  id: string,
  change: (before: TokenConfigRecord) => { [K in keyof ConfigFields]?: ConfigFields[K] | undefined },
): Promise<TokenConfigRecord> {
  return store.write(
    async (tx) => {
      const before = await requireRecord(tx, "token_configs", zone, id);
      const given = Object.fromEntries(
        Object.entries(change(before)).filter(([, value]) => value !== undefined),
      );
      const record = { ...before, ...given, last_updated: formatTimestamp(clock()) };
      await tx.replace("token_configs", record);
      await bumpRevision(tx, zone);
      return record;
    },
    { queue: zone },
  );
}

async function deleteConfig(tx: WriteTransaction, zone: string, id: string): Promise<void> {
  const config = await requireRecord(tx, "token_configs", zone, id);
  const rules = await tx.find("token_rules", zone);
  const isUser = await mapInTurns(rules, ({ expression }) => refersTo(expression, [config.id]));
  const users = rules.filter((_, i) => isUser[i]).map((rule) => rule.id);
  if (users.length > 0) {
    const named = users.slice(0, 3).map(quote).join(", ");
    const more = users.length > 3 ? ` and ${users.length - 3} more` : "";
    throw invalid(
      area,
      `The configuration ${quote(id)} is used by the rules ${named}${more}; delete or edit them first.`,
    );
  }
  await tx.delete("token_configs", zone, config.id);
  await bumpRevision(tx, zone);
}

/** Whether an expression refers to one of the configurations, whose ids are in lower case. */
export function refersTo(expression: string, ids: readonly string[]): boolean {
  // Without escapes, an expression has the id as it is: parsing takes longer than the search.
  if (!expression.includes("\\")) {
    const text = expression.toLowerCase();
    if (!ids.some((id) => text.includes(id))) return false;
  }
  return configsIn(expression).some((id) => ids.includes(id));
}

/** The ids of the configurations that an expression refers to; none for an invalid expression. */
function configsIn(expression: string): readonly string[] {
  const parsed = parseExpression(expression);
  return parsed.ok ? references(parsed.value).map((r) => r.id) : [];
}

function checkConfig(
  context: CheckContext,
  input: {
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    readonly token_type?: string;
    readonly token_sources?: readonly string[] | undefined;
  },
  notes: Notes,
  at = "",
): CodedDiagnostic[] {
  return [
    ...checkTitleAndDescription(context, input, at, notes),
    ...checkType(input.token_type, at),
    ...(input.token_sources ? checkSources(context, input.token_sources, at, notes) : []),
  ];
}

function checkType(type: string | undefined, at: string): CodedDiagnostic[] {
  if (type === undefined || type.toUpperCase() === "JWT") return [];
  const message = `\`token_type\` must be \`JWT\`; found ${quote(type)}.`;
  return [problem(genericCodes.tokens.invalid, message, `${at}/token_type`)];
}

function checkSources(
  { settings }: CheckContext,
  sources: readonly string[],
  at: string,
  notes: Notes,
): CodedDiagnostic[] {
  const where = `${at}/token_sources`;
  const found = checkTokenSources(sources, { headerCase: settings.headerCase });
  const problems = prefixPointers(where, found.problems);
  notes.push(...prefixPointers(where, found.notes));
  if (sources.length < sourceCount.min || sources.length > sourceCount.max) {
    const allowed = `${sourceCount.min} to ${sourceCount.max}`;
    const message = `\`token_sources\` must have ${allowed} elements; it has ${sources.length}.`;
    restrict(settings, problems, notes, problem(genericCodes.tokens.invalid, message, where));
  }
  return problems;
}

/** @throws {ApiError} with the problems found before and those of the keys */
function importConfigKeys(
  { settings, limits }: CheckContext,
  keys: readonly unknown[],
  at: string,
  notes: Notes,
  problems: readonly CodedDiagnostic[] = [],
): readonly JwtKey[] {
  const { invalidKeys: mode, sharedSecrets } = settings;
  const options = { mode, sharedSecrets, maxKeys: limits.keysPerConfig, pointer: at };
  const imported = importKeys(keys, options);
  rejectAny(imported.ok ? problems : [...problems, ...imported.problems]);
  if (!imported.ok) return [];
  notes.push(...imported.value.notes);
  return imported.value.keys;
}
