/** Direct uploads: a draft with an address that accepts one file, without credentials, before it expires. */

import { profiles } from "../../../core/profiles.ts";
import { ApiError, note, problem, quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { ImageRecord, Original } from "../../../store/records/images.ts";
import type { Notes, ServiceContext } from "../../context.ts";
import type { Settings } from "../../settings.ts";
import { formatTimestamp, parseTimestamp } from "../../time.ts";
import { accountByHash, inQueue, openAccount } from "../account.ts";
import { type ImageView, viewOf } from "../view.ts";
import { namedFile } from "./filename.ts";
import { ignoredNote, readFields, type UploadFile, type UploadForm } from "./form.ts";
import { assertIdFree, assertRoom, hasExpired, readNewImage, sweepDrafts, usageOf } from "./image-records.ts";
import type { OriginalStorage } from "./original-storage.ts";

/** Default lifetime of a draft: 30 minutes (`observed`). */
const defaultExpiryMs = 1_800_000;

/** Length of the secret part of an upload address, in characters: 190 bits. */
const tokenLength = 32;

/** A draft's id, and the parts of its upload address. */
export interface Draft {
  readonly id: string;
  /** The account's part of the upload address. */
  readonly hash: string;
  /** The secret part of the upload address. */
  readonly token: string;
}

/** Images whose file is uploaded later, at an address of their own. */
export interface DraftService {
  /** Creates a draft. @throws {ApiError} for an invalid form */
  create(account: string, form: UploadForm, notes?: Notes): Promise<Draft>;
  /** Rejects an upload address that does not accept a file now. To call before the file is read. */
  assertOpen(hash: string, token: string): Promise<void>;
  /** Uploads the file of a draft. A rejected file leaves the draft unchanged. */
  fill(hash: string, token: string, form: UploadForm, notes?: Notes): Promise<ImageView>;
}

export function draftService(context: ServiceContext, originals: OriginalStorage): DraftService {
  const { store, ids, clock } = context;
  const find = (hash: string, token: string) => {
    return store.read((tx) => requireDraft(tx, hash, token, clock()));
  };
  return {
    create: async (account, form, notes = []) => {
      const fields = readFields(form, draftFields, notes);
      if (form.file) notes.push(ignoredNote("file"));
      const image = readNewImage(context, fields, notes);
      const expires_at = readExpiry(context, fields.expiry, notes);
      const { hash } = await openAccount(context, account);
      const token = ids.secret(tokenLength);
      const draft = { scope: account, ...image, draft: true, upload_token: token, expires_at };
      await store.write((tx) => insertDraft(context, tx, draft), inQueue(account));
      return { id: image.id, hash, token };
    },
    assertOpen: async (hash, token) => {
      await find(hash, token);
    },
    fill: async (hash, token, form, notes = []) => {
      const { scope } = await find(hash, token);
      readFields(form, [], notes);
      if (!form.file) throw new ApiError(problem(5400, "The form must have a `file`; it is missing."));
      const file = namedFile(form.file);
      return originals.store(file.bytes, "/file", (original) => {
        return store.write((tx) => fillDraft(context, tx, hash, token, file, original), inQueue(scope));
      });
    },
  };
}

const draftFields = ["id", "creator", "metadata", "requireSignedURLs", "expiry"] as const;

async function insertDraft(
  context: ServiceContext,
  tx: WriteTransaction,
  draft: Omit<ImageRecord, "sequence" | "uploaded">,
): Promise<void> {
  const now = context.clock();
  await sweepDrafts(tx, draft.scope, now);
  await assertIdFree(tx, draft.scope, draft.id, now);
  await assertRoom(tx, context, draft.scope);
  await assertDraftRoom(tx, context, draft.scope);
  const sequence = await tx.sequence(draft.scope, "images");
  await tx.insert("images", { ...draft, sequence, uploaded: formatTimestamp(now) });
}

/** Open drafts are limited as images are, because every one of them is a record. @throws {ApiError} 5453 */
async function assertDraftRoom(tx: ReadTransaction, context: ServiceContext, account: string): Promise<void> {
  const { allowed, current } = await usageOf(tx, context, account);
  const open = await tx.count("images", account, [{ field: "draft", op: "eq", value: true }]);
  const room = allowed - current;
  if (open < room) return;
  const found = `it has ${open} open ${open === 1 ? "draft" : "drafts"} and room for ${room} of its ${allowed} images`;
  throw new ApiError(
    problem(5453, `The account must have at most as many open drafts as room for images; ${found}.`),
  );
}

/** The draft of an upload address. @throws {ApiError} 5403 */
async function requireDraft(
  tx: ReadTransaction,
  hash: string,
  token: string,
  nowMs: number,
): Promise<ImageRecord> {
  const account = await accountByHash(tx, hash);
  const where = [{ field: "upload_token", op: "eq", value: token }] as const;
  const [draft] = account ? await tx.find("images", account.id, { where, limit: 1 }) : [];
  if (draft && !hasExpired(draft, nowMs)) return draft;
  const message = "The upload address must be open; it was used, has expired, or was never issued.";
  throw new ApiError(problem(5403, message));
}

/** Checks the draft again: another file may have been uploaded, and time has passed. */
async function fillDraft(
  context: ServiceContext,
  tx: WriteTransaction,
  hash: string,
  token: string,
  { filename }: UploadFile,
  original: Original,
): Promise<ImageView> {
  const now = context.clock();
  const draft = await requireDraft(tx, hash, token, now);
  await assertRoom(tx, context, draft.scope);
  const image: ImageRecord = {
    ...draft,
    sequence: await tx.sequence(draft.scope, "images"),
    uploaded: formatTimestamp(now),
    draft: false,
    ...(filename !== undefined && { filename }),
    original,
    upload_token: null,
    expires_at: null,
  };
  await tx.replace("images", image);
  await tx.claimBlobs([original.blob]);
  return viewOf(tx, draft.scope, image);
}

/** Expiry of a draft, in milliseconds since 1970. @throws {ApiError} 5400 */
function readExpiry({ clock, settings }: ServiceContext, text: string | undefined, notes: Notes): number {
  const now = clock();
  if (text === undefined) return now + defaultExpiryMs;
  const expires = parseTimestamp(text);
  if (expires === undefined) throw invalidExpiry("an RFC 3339 time such as 2026-01-31T12:00:00Z", text);
  const seconds = (expires - now) / 1000;
  if (seconds <= 0) throw invalidExpiry("in the future", text);
  const { uploadExpirySeconds } = settings;
  if (!isWithin(seconds, uploadExpirySeconds)) throw invalidExpiry(rangeText(uploadExpirySeconds), text);
  const provider = profiles.provider.uploadExpirySeconds;
  if (!isWithin(seconds, provider)) {
    const message = `The provider rejects this: ${expiryMessage(rangeText(provider), text)}`;
    notes.push(note("valueNoted", message, "/expiry"));
  }
  return expires;
}

type ExpiryRange = Settings["uploadExpirySeconds"];

function isWithin(seconds: number, { min, max }: ExpiryRange): boolean {
  return seconds >= min && seconds <= max;
}

function rangeText({ min, max }: ExpiryRange): string {
  return `${min} to ${max} seconds in the future`;
}

function expiryMessage(allowed: string, text: string): string {
  return `\`expiry\` must be ${allowed}; found ${quote(text)}.`;
}

function invalidExpiry(allowed: string, text: string): ApiError {
  return new ApiError(problem(5400, expiryMessage(allowed, text), "/expiry"));
}
