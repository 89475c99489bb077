/** Seeds the store with the uploaded images of the world's accounts, after the same checks as in the endpoints. */
import { checkMetadata } from "../../../engine/images/metadata/metadata.ts";
import {
  ApiError,
  type CodedDiagnostic,
  InvalidInputError,
  pointer,
  problem,
  quote,
} from "../../../errors.ts";
import type { AccountImagesWorld } from "../../../schemas/images.ts";
import type { Store, WriteTransaction } from "../../../store/port.ts";
import type { Original } from "../../../store/records/images.ts";
import { readBase64 } from "../../brand/logos/picture.ts";
import { genericCodes, type ServiceContext } from "../../context.ts";
import { createDecodingMemory } from "../../images/decoding-memory.ts";
import { insertImage } from "../../images/images.ts";
import { type NewImageFields, readNewImage, uploadedOnly } from "../../images/uploads/image-records.ts";
import { createOriginalStorage } from "../../images/uploads/original-storage.ts";
import type { ParsedWorld, SeededList, SeedPart } from "../part.ts";
import { seededFrom } from "./seeded.ts";

type WorldImage = NonNullable<AccountImagesWorld["images"]>[number];

interface Upload {
  readonly at: string;
  readonly fields: NewImageFields;
  /** Whether the world gives the id. */
  readonly hasId: boolean;
  readonly filename: string | undefined;
  /** The picture in base64. */
  readonly image: string;
}

type StoredUpload = Upload & { readonly original: Original };

/** Uploaded images of the world's accounts. */
export function uploadsPart({ accounts = [] }: ParsedWorld, context: ServiceContext): SeedPart {
  const problems: CodedDiagnostic[] = [];
  const uploads = new Map<string, readonly Upload[]>();
  const stored = new Map<string, readonly StoredUpload[]>();
  for (const [i, { id, images }] of accounts.entries()) {
    if (!images?.images) continue;
    const at = pointer("accounts", i, "images", "images");
    problems.push(...countProblems(context, images, at));
    uploads.set(id, readUploads(context, images.images, at, problems));
  }
  return {
    problems,
    prepare: async (store, fresh) => {
      const found: CodedDiagnostic[] = [];
      for (const account of fresh)
        stored.set(account, await storeOriginals({ ...context, store }, uploads.get(account) ?? [], found));
      if (found.length > 0) await deleteOriginals(store, [...stored.values()].flat());
      return found;
    },
    seeded: seededFrom({
      seeds: uploads,
      owners: "accounts",
      count: (tx, account) => tx.count("images", account, uploadedOnly),
      create: (tx, account) => seedUploads(context, tx, account, stored.get(account) ?? []),
      lists: (account, given) => [listOf(account, given)],
    }),
  };
}

function countProblems({ limits }: ServiceContext, { images = [], allowed }: AccountImagesWorld, at: string) {
  const max = allowed ?? limits.imagesPerAccount;
  if (images.length <= max) return [];
  const message = `\`images\` must have at most ${max} elements; it has ${images.length}.`;
  return [problem(genericCodes.images.invalid, message, at)];
}

function readUploads(
  context: ServiceContext,
  images: readonly WorldImage[],
  at: string,
  problems: CodedDiagnostic[],
): readonly Upload[] {
  const ids = new Map<string, string>();
  return images.flatMap((input, i): Upload[] => {
    const imageAt = at + pointer(i);
    try {
      const upload = readUpload(context, input, imageAt);
      const first = ids.get(upload.fields.id);
      if (first === undefined) ids.set(upload.fields.id, imageAt);
      else problems.push(repeatedId(upload, first));
      return [upload];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(
        ...error.problems.map((diagnostic) => ({
          ...diagnostic,
          pointer: imageAt + (diagnostic.pointer ?? ""),
        })),
      );
      return [];
    }
  });
}

function repeatedId({ at, fields: { id } }: Upload, first: string): CodedDiagnostic {
  const message = `\`id\` must be unique in the account; ${quote(id)} is also at \`${first}/id\`.`;
  return problem(genericCodes.images.invalid, message, `${at}/id`);
}

/** @throws {ApiError} with every problem, without the pointer of the image */
function readUpload(context: ServiceContext, input: WorldImage, at: string): Upload {
  const { id, creator, metadata, requireSignedURLs, filename, image, image_path } = input;
  const code = genericCodes.images.invalid;
  if (image_path !== undefined) {
    const message = "Only the command line reads `image_path`; use `image` with base64 instead.";
    throw new ApiError(problem(code, message, "/image_path"));
  }
  if (image === undefined) {
    const message = "`image` is missing; it must be a picture in base64.";
    throw new ApiError(problem(code, message, "/image"));
  }
  const wrong = metadata === undefined ? undefined : checkMetadata(metadata);
  if (wrong) throw new ApiError(wrong);
  const fields = readNewImage(
    context,
    {
      ...(id !== undefined && { id }),
      ...(creator !== undefined && { creator }),
      ...(requireSignedURLs !== undefined && { requireSignedURLs }),
      metadata,
    },
    [],
    true,
  );
  return { at, fields, hasId: id !== undefined, filename, image };
}

/** Validates and stores the pictures; adds the problems that only decoding shows to `problems`. */
async function storeOriginals(
  context: ServiceContext,
  uploads: readonly Upload[],
  problems: CodedDiagnostic[],
): Promise<readonly StoredUpload[]> {
  const originals = createOriginalStorage(context, createDecodingMemory(context.limits));
  const stored: StoredUpload[] = [];
  for (const upload of uploads) {
    const at = `${upload.at}/image`;
    const bytes = readBase64(upload.image, context.limits.imageUploadBytes);
    if (!bytes.ok) {
      problems.push({ ...bytes.problems[0], code: genericCodes.images.invalid, pointer: at });
      continue;
    }
    try {
      const original = await originals.store(bytes.value, at, async (kept) => kept);
      stored.push({ ...upload, original });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(...error.problems);
    }
  }
  return stored;
}

async function deleteOriginals({ blobs }: Store, stored: readonly StoredUpload[]): Promise<void> {
  for (const { original } of stored) await blobs.delete(original.blob);
}

async function seedUploads(
  context: ServiceContext,
  tx: WriteTransaction,
  account: string,
  uploads: readonly StoredUpload[],
): Promise<void> {
  for (const { at, fields, filename, original } of uploads) {
    try {
      await insertImage(context, tx, account, fields, filename, original);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const problems = error.problems.map((diagnostic) => ({
        ...diagnostic,
        pointer: at + (diagnostic.pointer ?? ""),
      }));
      throw new InvalidInputError("the world does not fit the store", problems);
    }
  }
}

/** The images of an account. Pictures are not compared, and the store may have more images. */
function listOf(account: string, uploads: readonly Upload[]): SeededList {
  const seedOf = ({ creator, meta, requireSignedURLs }: Omit<NewImageFields, "id">) => ({
    value: { creator, meta, requireSignedURLs },
  });
  return {
    things: "images",
    world: uploads.map(({ fields, hasId }) => ({ ...(hasId && { id: fields.id }), ...seedOf(fields) })),
    stored: async (tx) => {
      const records = await tx.find("images", account, { where: uploadedOnly });
      return records.map((record) => ({ id: record.id, ...seedOf(record) }));
    },
    isOpen: true,
  };
}
