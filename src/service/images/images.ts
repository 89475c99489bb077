/** Images: upload, details, edit, delete, and the base image. */
import { checkMetadata } from "../../engine/images/metadata/metadata.ts";
import { renderBase } from "../../engine/images/render/base-image.ts";
import { contentTypes } from "../../engine/images/sniff.ts";
import { ApiError, problem, quote } from "../../errors.ts";
import { imagePatch } from "../../schemas/images.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { ImageRecord, Original } from "../../store/records/images.ts";
import { type Notes, rejectAny, type ServiceContext } from "../context.ts";
import { decode } from "../decode.ts";
import { formatTimestamp } from "../time.ts";
import { inQueue, openAccount } from "./account.ts";
import { type DecodingMemory, engineLimits } from "./decoding-memory.ts";
import type { Rendition, Renditions } from "./delivery/renditions.ts";
import { fetchUpload } from "./uploads/fetch-image.ts";
import { filenameOfUrl, namedFile } from "./uploads/filename.ts";
import { readFields, type UploadFile, type UploadForm } from "./uploads/form.ts";
import {
  assertIdFree,
  assertRoom,
  checkCreator,
  checkSignedId,
  type NewImageFields,
  readCreator,
  readNewImage,
  requireImage,
  sweepDrafts,
  type Usage,
  usageOf,
} from "./uploads/image-records.ts";
import type { OriginalStorage } from "./uploads/original-storage.ts";
import { type ImageView, viewOf } from "./view.ts";

const area = "images";

export interface ImageService {
  /** Uploads an image; the form has `file` or `url`. */
  upload(account: string, form: UploadForm, notes?: Notes): Promise<ImageView>;
  get(account: string, id: string): Promise<ImageView>;
  /** Edits an image; a change of `requireSignedURLs` also changes its id. */
  edit(account: string, id: string, body: unknown, notes?: Notes): Promise<ImageView>;
  delete(account: string, id: string): Promise<void>;
  /** The original, or for a large one a near-lossless copy. */
  base(account: string, id: string): Promise<Rendition>;
  stats(account: string): Promise<Usage>;
}

export function imageService(
  context: ServiceContext,
  originals: OriginalStorage,
  renditions: Renditions,
  decoding: DecodingMemory,
): ImageService {
  const { store, clock } = context;
  return {
    upload: async (account, form, notes = []) => {
      const { url, ...uploaded } = readFields(form, uploadFields, notes);
      const fields = readNewImage(context, uploaded, notes);
      await openAccount(context, account);
      await store.read(async (tx) => {
        await assertIdFree(tx, account, fields.id, clock());
        await assertRoom(tx, context, account);
      });
      const file = await readSource(context, form.file, url);
      return originals.store(file.bytes, form.file ? "/file" : "/url", (original) => {
        return store.write(
          (tx) => insertImage(context, tx, account, fields, file.filename, original),
          inQueue(account),
        );
      });
    },
    get: (account, id) => store.read((tx) => getView(context, tx, account, id)),
    edit: async (account, id, body, notes = []) => {
      const patch = readPatch(body, notes);
      rejectAny(checkSignedId(context, id, patch.requireSignedURLs === true, notes));
      const nextId = context.ids.uuid();
      return store.write((tx) => editImage(context, tx, account, id, patch, nextId), inQueue(account));
    },
    delete: async (account, id) => {
      const image = await store.write(async (tx) => {
        const found = await requireImage(tx, account, id, clock());
        await tx.delete("images", account, id);
        if (found.original) await tx.releaseBlobs([found.original.blob]);
        return found;
      }, inQueue(account));
      await originals.delete(image.original);
    },
    base: (account, id) => readBase(context, renditions, decoding, account, id),
    stats: async (account) => {
      await openAccount(context, account);
      return store.read((tx) => usageOf(tx, context, account));
    },
  };
}

const uploadFields = ["url", "id", "creator", "metadata", "requireSignedURLs"] as const;

/** The file of the form, or the one at its `url`. @throws {ApiError} 5400, 5454 */
async function readSource(
  { fetchImage, limits }: ServiceContext,
  file: UploadFile | undefined,
  url: string | undefined,
): Promise<UploadFile> {
  if (file && url !== undefined) throw invalidForm("The form must have either `file` or `url`; found both.");
  if (file) return namedFile(file);
  if (url === undefined) throw invalidForm("The form must have either `file` or `url`; found neither.");
  const bytes = await fetchUpload(fetchImage, url, limits.imageUploadBytes);
  const filename = filenameOfUrl(url);
  return { bytes, ...(filename !== undefined && { filename }) };
}

/** Stores an uploaded image. @throws {ApiError} 5409, 5453 */
export async function insertImage(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  fields: NewImageFields,
  filename: string | undefined,
  original: Original,
): Promise<ImageView> {
  const now = context.clock();
  await sweepDrafts(tx, account, now);
  await assertIdFree(tx, account, fields.id, now);
  await assertRoom(tx, context, account);
  const image: ImageRecord = {
    scope: account,
    ...fields,
    sequence: await tx.sequence(account, "images"),
    uploaded: formatTimestamp(now),
    draft: false,
    ...(filename !== undefined && { filename }),
    original,
    upload_token: null,
    expires_at: null,
  };
  await tx.insert("images", image);
  await tx.claimBlobs([original.blob]);
  return viewOf(tx, account, image);
}

async function getView({ clock }: ServiceContext, tx: ReadTransaction, account: string, id: string) {
  return viewOf(tx, account, await requireImage(tx, account, id, clock()));
}

type ImageChange = Partial<Pick<ImageRecord, "creator" | "meta" | "requireSignedURLs">>;

function readPatch(body: unknown, notes: Notes): ImageChange {
  const { creator, metadata, requireSignedURLs } = decode(imagePatch, body, { area, notes });
  const wrongMetadata = metadata === undefined ? undefined : checkMetadata(metadata);
  rejectAny([...checkCreator(creator), ...(wrongMetadata ? [wrongMetadata] : [])]);
  return {
    ...(creator !== undefined && { creator: readCreator(creator) }),
    ...(metadata !== undefined && { meta: metadata }),
    ...(requireSignedURLs !== undefined && { requireSignedURLs }),
  };
}

async function editImage(
  { clock }: ServiceContext,
  tx: WriteTransaction,
  account: string,
  id: string,
  change: ImageChange,
  nextId: string,
): Promise<ImageView> {
  const before = await requireImage(tx, account, id, clock());
  const after = { ...before, ...change };
  if (after.requireSignedURLs === before.requireSignedURLs) {
    await tx.replace("images", after);
    return viewOf(tx, account, after);
  }
  const renamed = { ...after, id: nextId };
  await tx.delete("images", account, id);
  await tx.insert("images", renamed);
  return viewOf(tx, account, renamed);
}

async function readBase(
  { store, clock, limits }: ServiceContext,
  renditions: Renditions,
  decoding: DecodingMemory,
  account: string,
  id: string,
): Promise<Rendition> {
  const find = () => store.read((tx) => requireImage(tx, account, id, clock()));
  const { original } = await find();
  const bytes = original && (await store.blobs.get(original.blob));
  if (!original || !bytes) throw noOriginal(id);
  if (bytes.byteLength <= limits.imageBaseBytes) return { bytes, contentType: contentTypes[original.type] };
  const rendition = await renditions.get(`${original.blob} base`, async () => {
    const base = await decoding.run(pixelsOf(original), () => renderBase(bytes, engineLimits(limits)));
    if (!base.ok) throw new ApiError(...base.problems);
    return base.value;
  });
  // Rendering takes time: an image that was deleted meanwhile is not delivered.
  if ((await find()).original?.blob !== original.blob) throw noOriginal(id);
  return rendition;
}

function pixelsOf({ width, height, frames }: Original): number {
  return width * height * frames;
}

function noOriginal(id: string): ApiError {
  const message = `The image ${quote(id)} has no original: it has not been uploaded yet, or was deleted.`;
  return new ApiError(problem(5404, message));
}

function invalidForm(message: string): ApiError {
  return new ApiError(problem(5400, message));
}
