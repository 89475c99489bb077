/** Records of images and drafts: reading, expiry, quota, and the checks of a new one. */
import { profiles } from "../../../core/profiles.ts";
import { isUuid } from "../../../core/text/uuid.ts";
import { checkCustomId, maxCreatorLength } from "../../../engine/images/ids.ts";
import { ApiError, type CodedDiagnostic, note, problem, quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import { type ImageRecord, imagesScope } from "../../../store/records/images.ts";
import { type Notes, rejectAny, type ServiceContext } from "../../context.ts";
import type { UploadFields } from "./form.ts";

/** Conditions that match images and not drafts. */
export const uploadedOnly = [{ field: "draft", op: "eq", value: false }] as const;

/** The image or the draft; undefined for an expired draft. */
export async function findImage(
  tx: ReadTransaction,
  account: string,
  id: string,
  nowMs: number,
): Promise<ImageRecord | undefined> {
  const image = await tx.get("images", account, id);
  return image && hasExpired(image, nowMs) ? undefined : image;
}

export function hasExpired({ expires_at }: ImageRecord, nowMs: number): boolean {
  return expires_at !== null && expires_at <= nowMs;
}

/** Deletes expired drafts; part of every write that adds an image. */
export async function sweepDrafts(tx: WriteTransaction, account: string, nowMs: number): Promise<void> {
  await tx.deleteWhere("images", account, [{ field: "expires_at", op: "lte", value: nowMs }]);
}

/** @throws {ApiError} 5404 */
export async function requireImage(
  tx: ReadTransaction,
  account: string,
  id: string,
  nowMs: number,
): Promise<ImageRecord> {
  const image = await findImage(tx, account, id, nowMs);
  if (!image) throw new ApiError(problem(5404, `There is no image ${quote(id)}.`));
  return image;
}

/** @throws {ApiError} 5409 */
export async function assertIdFree(
  tx: ReadTransaction,
  account: string,
  id: string,
  nowMs: number,
): Promise<void> {
  if (!(await findImage(tx, account, id, nowMs))) return;
  throw new ApiError(problem(5409, `There is already an image ${quote(id)}.`, "/id"));
}

export interface Usage {
  readonly allowed: number;
  readonly current: number;
}

/** The number of images, drafts not counted (`chosen`), and its maximum. */
export async function usageOf(
  tx: ReadTransaction,
  { limits }: ServiceContext,
  account: string,
): Promise<Usage> {
  const record = await tx.get("image_accounts", imagesScope, account);
  const current = await tx.count("images", account, uploadedOnly);
  return { allowed: record?.allowed ?? limits.imagesPerAccount, current };
}

/** @throws {ApiError} 5453 when the account is full */
export async function assertRoom(
  tx: ReadTransaction,
  context: ServiceContext,
  account: string,
): Promise<void> {
  const { allowed, current } = await usageOf(tx, context, account);
  if (current < allowed) return;
  const message = `The account must have at most ${allowed} images; it has ${current}.`;
  throw new ApiError(problem(5453, message));
}

/** The common fields of an upload and a draft. */
export interface NewImageFields {
  readonly id: string;
  readonly creator: string | null;
  readonly meta?: unknown;
  readonly requireSignedURLs: boolean;
}

/**
 * Checks the fields of a new image.
 *
 * @param isStored whether the service has it already, whose own ids are UUIDs; else the client chooses its id
 * @throws {ApiError} with every problem
 */
export function readNewImage(
  context: ServiceContext,
  fields: UploadFields,
  notes: Notes,
  isStored = false,
): NewImageFields {
  const { id, creator, metadata, requireSignedURLs = false } = fields;
  const isCustom = id !== undefined && !(isStored && isUuid(id));
  const problems = [
    ...(isCustom ? checkId(context, id, requireSignedURLs, notes) : []),
    ...checkCreator(creator),
  ];
  rejectAny(problems);
  return {
    id: id ?? context.ids.uuid(),
    creator: readCreator(creator),
    ...(metadata !== undefined && { meta: metadata }),
    requireSignedURLs,
  };
}

/** An empty creator counts as missing: lists use the empty string for images without one (`spec`). */
export function readCreator(creator: string | undefined): string | null {
  return creator === undefined || creator === "" ? null : creator;
}

export function checkCreator(creator: string | undefined): CodedDiagnostic[] {
  const length = creator === undefined ? 0 : [...creator].length;
  if (length <= maxCreatorLength) return [];
  const message = `\`creator\` must have at most ${maxCreatorLength} characters; found ${length}.`;
  return [problem(5400, message, "/creator")];
}

/** The provider rejects some ids that the specification allows: a problem or a note, by the setting. */
function checkId(
  context: ServiceContext,
  id: string,
  requireSignedURLs: boolean,
  notes: Notes,
): CodedDiagnostic[] {
  const invalid = checkCustomId(id);
  if (invalid) return [invalid];
  return atProvider(
    context,
    checkCustomId(id, { rejectUuid: true, rejectSigned: true, requireSignedURLs }),
    notes,
  );
}

/** An edit that requires signatures is restricted as an upload is. Generated ids are UUIDs, custom ids are not. */
export function checkSignedId(
  context: ServiceContext,
  id: string,
  requireSignedURLs: boolean,
  notes: Notes,
): CodedDiagnostic[] {
  if (!requireSignedURLs || isUuid(id)) return [];
  const at = "/requireSignedURLs";
  return atProvider(context, checkCustomId(id, { rejectSigned: true, requireSignedURLs }, at), notes);
}

function atProvider(
  { settings }: ServiceContext,
  rejected: CodedDiagnostic | undefined,
  notes: Notes,
): CodedDiagnostic[] {
  if (!rejected) return [];
  if (settings.customImageIds === profiles.provider.customImageIds) return [rejected];
  const message = `The provider rejects this: ${rejected.message}`;
  const { pointer } = rejected;
  notes.push(note("valueNoted", message, pointer));
  return [];
}
