/** Direct uploads: a draft with an address that takes one file, without credentials, before it expires. */
import { ApiError, noteCodes, type Problem, quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { ImageRecord, Original } from "../../../store/records/images.ts";
import { type Notes, rejectAny, type ServiceContext } from "../../context.ts";
import { profiles } from "../../settings.ts";
import { formatTimestamp, parseTimestamp } from "../../time.ts";
import { accountByHash, openAccount } from "../account.ts";
import { type ImageView, viewOf } from "../view.ts";
import { ignoredNote, readFields, type UploadFile, type UploadForm } from "./form.ts";
import { assertIdFree, assertRoom, hasExpired, readNewImage, sweepDrafts } from "./image-records.ts";
import type { Originals } from "./original-storage.ts";

/** How long a draft waits when the form does not say: 30 minutes (`observed`). */
const defaultExpiryMs = 1_800_000;

/** Letters of the secret part of an upload address: 190 bits. */
const tokenLength = 32;

/** A draft's id, and what its upload address is made of. */
export interface Draft {
  readonly id: string;
  /** The account's part of the upload address. */
  readonly hash: string;
  /** The secret part of it. */
  readonly token: string;
}

export interface DraftService {
  create(account: string, form: UploadForm, notes?: Notes): Promise<Draft>;
  /** Refuses an upload address that would not take a file now, before the file is read. */
  assertOpen(hash: string, token: string): Promise<void>;
  /** Takes the file. A file that is refused leaves the draft as it is. */
  fill(hash: string, token: string, form: UploadForm, notes?: Notes): Promise<ImageView>;
}

export function draftService(context: ServiceContext, originals: Originals): DraftService {
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
      await store.write((tx) => insertDraft(context, tx, draft));
      return { id: image.id, hash, token };
    },
    assertOpen: async (hash, token) => {
      await find(hash, token);
    },
    fill: async (hash, token, form, notes = []) => {
      await find(hash, token);
      readFields(form, [], notes);
      const { file } = form;
      if (!file) throw new ApiError({ code: 5400, message: "The form has no `file`; it must have one." });
      return originals.keep(file.bytes, "/file", (original) => {
        return store.write((tx) => fillDraft(context, tx, hash, token, { file, original }));
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
  const sequence = await tx.sequence(draft.scope, "images");
  await tx.insert("images", { ...draft, sequence, uploaded: formatTimestamp(now) });
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
  const draft = account && (await tx.find("images", account.id, { where, limit: 1 }))[0];
  if (draft && !hasExpired(draft, nowMs)) return draft;
  const message = "This upload address takes no file: it was used, has expired, or was never given out.";
  throw new ApiError({ code: 5403, message });
}

interface Filling {
  readonly file: UploadFile;
  readonly original: Original;
}

/** Looks again: another file may have come first, and time has passed. */
async function fillDraft(
  context: ServiceContext,
  tx: WriteTransaction,
  hash: string,
  token: string,
  { file: { filename }, original }: Filling,
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

/** When a draft vanishes, in milliseconds since 1970. @throws {ApiError} 5400 */
function readExpiry({ clock, settings }: ServiceContext, text: string | undefined, notes: Notes): number {
  const now = clock();
  if (text === undefined) return now + defaultExpiryMs;
  const expires = parseTimestamp(text);
  if (expires === undefined) {
    rejectAny([
      bad(`\`expiry\` is ${quote(text)}; it must be an RFC 3339 time such as 2026-01-31T12:00:00Z`),
    ]);
  }
  const seconds = (expires! - now) / 1000;
  if (!(seconds > 0)) rejectAny([bad(`\`expiry\` is ${quote(text)}; it must lie in the future`)]);
  const { min, max } = settings.uploadExpirySeconds;
  if (seconds < min || seconds > max) rejectAny([bad(outside(text, min, max))]);
  const provider = profiles.provider.uploadExpirySeconds;
  if (seconds < provider.min || seconds > provider.max) {
    const message = `the provider refuses this: ${outside(text, provider.min, provider.max)}.`;
    notes.push({ code: noteCodes.valueNoted, message, pointer: "/expiry" });
  }
  return expires!;
}

function outside(text: string, min: number, max: number): string {
  return `\`expiry\` is ${quote(text)}; it must lie ${min} to ${max} seconds in the future`;
}

function bad(message: string): Problem {
  return { code: 5400, pointer: "/expiry", message: `${message}.` };
}
