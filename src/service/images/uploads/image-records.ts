/** Images and drafts as records: what is there now, and what a new one may be called. */
import { checkCustomId } from "../../../engine/images/ids.ts";
import { ApiError, noteCodes, type Problem, quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import { type ImageAccountRecord, type ImageRecord, imagesScope } from "../../../store/records/images.ts";
import { type Notes, rejectAny, type ServiceContext } from "../../context.ts";
import { profiles } from "../../settings.ts";
import type { UploadFields } from "./form.ts";

/** Longest id of a creator (`observed`). */
const maxCreatorLength = 1_024;

/** Conditions that images meet and drafts do not. */
export const uploadedOnly = [{ field: "draft", op: "eq", value: false }] as const;

/** The image or the draft; a draft that has expired is not there any more. */
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

/** Takes away the drafts that have expired; every write that adds to an account does it. */
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
  if (!image) throw new ApiError({ code: 5404, message: `There is no image ${quote(id)}.` });
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
  throw new ApiError({ code: 5409, pointer: "/id", message: `There is an image ${quote(id)} already.` });
}

export interface Usage {
  readonly allowed: number;
  readonly current: number;
}

/** How many images there are, drafts not counted (`chosen`), and how many there may be. */
export async function usageOf(
  tx: ReadTransaction,
  { limits }: ServiceContext,
  account: string,
): Promise<Usage> {
  const record = await tx.get("image_accounts", imagesScope, account);
  const current = await tx.count("images", account, uploadedOnly);
  return { allowed: allowedBy(record, limits.imagesPerAccount), current };
}

function allowedBy(record: ImageAccountRecord | undefined, absent: number): number {
  return record?.allowed ?? absent;
}

/** @throws {ApiError} 5453 when the account is full */
export async function assertRoom(
  tx: ReadTransaction,
  context: ServiceContext,
  account: string,
): Promise<void> {
  const { allowed, current } = await usageOf(tx, context, account);
  if (current < allowed) return;
  const message = `The account has ${current} images; it can have at most ${allowed}.`;
  throw new ApiError({ code: 5453, message });
}

/** What an upload and a draft have in common. */
export interface NewImageFields {
  readonly id: string;
  readonly creator: string | null;
  readonly meta?: unknown;
  readonly requireSignedURLs: boolean;
}

/** Checks the fields that decide what a new image is. @throws {ApiError} with every problem */
export function readNewImage(context: ServiceContext, fields: UploadFields, notes: Notes): NewImageFields {
  const { id, creator, metadata, requireSignedURLs = false } = fields;
  const problems = [...checkId(context, id, requireSignedURLs, notes), ...checkCreator(creator)];
  rejectAny(problems);
  return {
    id: id ?? context.ids.uuid(),
    creator: readCreator(creator),
    ...(metadata !== undefined && { meta: metadata }),
    requireSignedURLs,
  };
}

/** An empty creator is none: lists ask for images without one by the empty text (`spec`). */
export function readCreator(creator: string | undefined): string | null {
  return creator === undefined || creator === "" ? null : creator;
}

export function checkCreator(creator: string | undefined): Problem[] {
  const length = creator === undefined ? 0 : [...creator].length;
  if (length <= maxCreatorLength) return [];
  const message = `\`creator\` has ${length} characters; it must have at most ${maxCreatorLength}.`;
  return [{ code: 5400, pointer: "/creator", message }];
}

/** The provider takes fewer ids than the specification: those are refused, or noted. */
function checkId(
  { settings }: ServiceContext,
  id: string | undefined,
  requireSignedURLs: boolean,
  notes: Notes,
): Problem[] {
  if (id === undefined) return [];
  const plain = { refuseUuid: true, refuseSigned: true, requireSignedURLs };
  const wrong = checkCustomId(id);
  const refused = wrong ?? checkCustomId(id, plain);
  if (!refused) return [];
  if (wrong || settings.customImageIds === profiles.provider.customImageIds) return [refused];
  const message = `the provider refuses this: ${refused.message}`;
  notes.push({ code: noteCodes.valueNoted, message, pointer: "/id" });
  return [];
}
