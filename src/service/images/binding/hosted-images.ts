/**
 * The part `hosted` of the Images binding: the images of an account of a simulator, without credentials (members and
 * defaults `observed`, from the published types and documentation; texts of errors chosen).
 */
import { signAddress } from "../../../engine/images/signing.ts";
import { ApiError, type Code, problem, quote } from "../../../errors.ts";
import type { Clock } from "../../time.ts";
import type { SigningKeyService } from "../delivery/keys.ts";
import type { ImageService } from "../images.ts";
import type { ListingService } from "../listing/listing.ts";
import type { DraftService } from "../uploads/drafts.ts";
import { addressesOf, deliveryPath, type ImageView, uploadPath } from "../view.ts";
import { bindingError, type ReportUnknown, unknownMembers } from "./binding-error.ts";
import { type ImageInputOptions, readInput } from "./read-input.ts";

/** A stored image. */
export interface HostedImage {
  /** A UUID, or the id of the upload. */
  readonly id: string;
  /** Name of the uploaded file. */
  readonly filename?: string;
  /** ISO 8601. */
  readonly uploaded: string;
  /** Whether its deliveries need a signature. */
  readonly requireSignedURLs: boolean;
  /** Metadata of the upload. */
  readonly meta?: Record<string, unknown>;
  /** Delivery addresses, one for each variant. */
  readonly variants: string[];
  /** On an image that has not been uploaded yet. */
  readonly draft?: true;
  /** Who uploaded it. */
  readonly creator?: string;
}

/** Members of an upload; `null` and undefined count as absent. */
export interface HostedImageFields {
  /** Replaces the metadata. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /** Whether deliveries need a signature. */
  readonly requireSignedURLs?: boolean | null;
  /** Who uploaded it. */
  readonly creator?: string | null;
}

/** Members that only new images have. */
interface NewImageFields extends HostedImageFields {
  /** Default: a new UUID. */
  readonly id?: string | null;
}

/** Selects, orders and pages images. */
export interface HostedImageList {
  /** Maximum number of images, 1 to 1000. Default 1000. */
  readonly limit?: number | null;
  /** The cursor of the page before. */
  readonly cursor?: string | null;
  /** By the time of the upload. Default `asc`. */
  readonly sortOrder?: "asc" | "desc" | null;
  /** Empty: images without a creator. */
  readonly creator?: string | null;
  /** Paths of metadata with a value, or an object of operators such as `{ gte: 2, lte: 5 }`; at most five conditions. */
  readonly filter?: {
    /** Values or operators by path. */
    readonly metadata?: Readonly<Record<string, unknown>>;
    /** Older name of `metadata`. */
    readonly meta?: Readonly<Record<string, unknown>>;
  } | null;
}

/** One stored image. */
export interface HostedImageHandle {
  /** The image; null without one. */
  details(): Promise<HostedImage | null>;
  /** The original; null without one. */
  bytes(): Promise<ReadableStream<Uint8Array> | null>;
  /** Changes members. A change of `requireSignedURLs` also changes the id. */
  update(fields: HostedImageFields): Promise<HostedImage>;
  /** Whether there was one. */
  delete(): Promise<boolean>;
  /**
   * A signed delivery address.
   *
   * @param options `expiresIn` in seconds from 1, without it the address never expires; `keyName` is `default` without one
   */
  signedUrl(options: {
    readonly variant: string;
    readonly expiresIn?: number | null;
    readonly keyName?: string | null;
  }): Promise<string>;
}

/** The images of an account. Methods reject with an error that has the `code` of the interface. */
export interface HostedImages {
  /** Stores an image. */
  upload(
    image: ReadableStream<Uint8Array> | ArrayBuffer,
    options?: NewImageFields & ImageInputOptions & { readonly filename?: string | null },
  ): Promise<HostedImage>;
  /** One page; `cursor` continues it. */
  list(options?: HostedImageList): Promise<{
    readonly images: HostedImage[];
    readonly cursor?: string;
    readonly listComplete: boolean;
  }>;
  /** One image, which need not exist. */
  image(id: string): HostedImageHandle;
  /** An address that takes one file without credentials, for 120 to 21600 seconds, by default 1800. */
  createDirectUpload(
    options?: NewImageFields & { readonly expiresIn?: number | null },
  ): Promise<{ readonly id: string; readonly uploadURL: string }>;
}

/** The image services that `hosted` uses. */
interface HostedServices extends ImageService, ListingService {
  /** Milliseconds since 1970. */
  readonly clock: Clock;
  /** Addresses for uploads without credentials. */
  readonly drafts: DraftService;
  /** Keys of signed addresses. */
  readonly keys: SigningKeyService;
}

/** The account whose images are `hosted`. */
export interface HostedTarget {
  /** A simulator; only its images are used. */
  readonly edge: {
    /** Its image services. */
    readonly images: HostedServices;
  };
  /** Id of the account. */
  readonly account: string;
  /** Start of addresses. Default `https://edge.test`. */
  readonly origin?: string;
}

/** Lifetime of upload addresses, in seconds (`observed`). */
const expiry = { min: 120, max: 21_600, usual: 1_800 } as const;

/** Members of each method's options. */
const newMembers = ["id", "metadata", "requireSignedURLs", "creator"] as const;
const memberNames = {
  upload: [...newMembers, "filename", "encoding"],
  list: ["limit", "cursor", "sortOrder", "creator", "filter"],
  filter: ["metadata", "meta"],
  update: ["metadata", "requireSignedURLs", "creator"],
  signedUrl: ["variant", "expiresIn", "keyName"],
  createDirectUpload: [...newMembers, "expiresIn"],
} as const;

export function hostedImages(
  { edge, account, origin = "https://edge.test" }: HostedTarget,
  report: ReportUnknown,
): HostedImages {
  const known = <T extends object>(options: T, method: keyof typeof memberNames): Present<T> => {
    if (typeof options !== "object" || options === null)
      throw failed(5400, `The options must be an object; found ${quote(options)}.`);
    const names: readonly string[] = memberNames[method];
    report("HOSTED", unknownMembers(options, names));
    const members = Object.entries(present(options)).filter(([name]) => names.includes(name));
    return Object.fromEntries(members) as Present<T>;
  };
  const { images } = edge;
  const show = ({ image, ...parts }: ImageView): HostedImage => ({
    id: image.id,
    ...(image.filename !== undefined && { filename: image.filename }),
    uploaded: image.uploaded,
    requireSignedURLs: image.requireSignedURLs,
    ...("meta" in image && { meta: image.meta as Record<string, unknown> }),
    variants: [...addressesOf(`${origin}${deliveryPath}`, image.id, parts)],
    ...(image.draft && { draft: true }),
    ...(image.creator !== null && { creator: image.creator }),
  });
  return {
    upload: (given, options = {}) =>
      guarded(async () => {
        const { filename, encoding, ...fields } = known(options, "upload");
        const stream = given instanceof ArrayBuffer ? new Blob([given]).stream() : given;
        const bytes = await readInput("HOSTED", stream, encoding);
        const file = { bytes, ...(filename !== undefined && { filename }) };
        return show(await images.upload(account, { fields: textFields(fields), file }));
      }),
    list: (options = {}) =>
      guarded(async () => {
        const { limit, cursor, sortOrder = "asc", creator, filter } = known(options, "list");
        const { metadata, meta } = known(filter ?? {}, "filter");
        const page = await images.listFrom(account, {
          ...(limit !== undefined && { per_page: limit }),
          sort_order: sortOrder,
          ...(cursor !== undefined && { continuation_token: cursor }),
          ...(creator !== undefined && { creator }),
          meta: filtersOf({ ...meta, ...metadata }),
        });
        const { images: found, continuation_token: next, ...parts } = page;
        return {
          images: found.map((image) => show({ image, ...parts })),
          ...(next !== null && { cursor: next }),
          listComplete: next === null,
        };
      }),
    image: (id) => ({
      details: () => orAbsent(null, async () => show(await images.get(account, id))),
      bytes: () =>
        orAbsent(null, async () => {
          const { bytes } = await images.base(account, id);
          return new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>;
        }),
      update: (fields) => guarded(async () => show(await images.edit(account, id, known(fields, "update")))),
      delete: () => orAbsent(false, () => images.delete(account, id).then(() => true)),
      signedUrl: (options) =>
        guarded(async () => {
          const { variant, expiresIn, keyName = "default" } = known(options, "signedUrl");
          const view = await images.get(account, id);
          if (!view.variants.includes(variant)) throw failed(5401, `There is no variant ${quote(variant)}.`);
          const key = (await images.keys.list(account)).find(({ id }) => id === keyName);
          if (!key) throw failed(5404, `There is no signing key ${quote(keyName)}.`);
          if (expiresIn !== undefined && !(Number.isSafeInteger(expiresIn) && expiresIn >= 1))
            throw failed(5400, `\`expiresIn\` must be an integer from 1; found ${quote(expiresIn)}.`);
          const [address = ""] = addressesOf(`${origin}${deliveryPath}`, id, {
            ...view,
            variants: [variant],
          });
          const now = Math.floor(images.clock() / 1_000);
          return signAddress(address, key.value, expiresIn === undefined ? undefined : now + expiresIn);
        }),
    }),
    createDirectUpload: (options = {}) =>
      guarded(async () => {
        const { expiresIn = expiry.usual, ...fields } = known(options, "createDirectUpload");
        if (!(Number.isInteger(expiresIn) && expiresIn >= expiry.min && expiresIn <= expiry.max)) {
          const allowed = `an integer from ${expiry.min} to ${expiry.max}`;
          throw failed(5400, `\`expiresIn\` must be ${allowed}; found ${quote(expiresIn)}.`);
        }
        const until = new Date(images.clock() + expiresIn * 1_000).toISOString();
        const form = { fields: [...textFields(fields), ["expiry", until] as const] };
        const { id, hash, token } = await images.drafts.create(account, form);
        return { id, uploadURL: `${origin}${uploadPath}/${hash}/${token}` };
      }),
  };
}

type Present<T> = { [K in keyof T]: Exclude<T[K], null> };

/** An object without its members that are null or undefined (`observed`). */
function present<T extends object>(options: T): Present<T> {
  const members = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(members) as Present<T>;
}

/** Fields as a form has them; a wrong value is rejected as there. */
function textFields(fields: object): (readonly [string, string])[] {
  return Object.entries(fields).map(([name, value]) => [name, fieldText(name, value)] as const);
}

/** @throws {ApiError} 5400 for what JSON cannot have */
function fieldText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    throw failed(5400, `${quote(name)} must be a JSON value; found ${quote(value)}.`);
  }
}

/** Names of fields (`observed`); five levels are checked by the list itself. */
const fieldName = /^[A-Za-z0-9_.]{1,100}$/;

/** Filters as query parameters of a list. @throws {ApiError} 5400 */
function filtersOf(metadata: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(metadata).flatMap(([path, value]) => {
    if (!fieldName.test(path)) {
      const allowed = "1 to 100 letters, digits, `_` and `.`";
      throw failed(5400, `A field of \`filter.metadata\` must be ${allowed}; found ${quote(path)}.`);
    }
    const operators = typeof value === "object" && value !== null ? value : { eq: value };
    return Object.entries(operators).map(
      ([operator, operand]) => [`meta.${path}[${operator}${typeOf(operand)}]`, textOf(operand)] as const,
    );
  });
}

/** The type that an operand selects, so that the number 5 is not the string. */
function typeOf(operand: unknown): string {
  const [first] = Array.isArray(operand) ? (operand as unknown[]) : [operand];
  return ["string", "number", "boolean"].includes(typeof first) ? `:${typeof first}` : "";
}

/** @throws {ApiError} 5400 */
function textOf(operand: unknown): string {
  const listed: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const wrong = listed.find((value) => !["string", "number", "boolean"].includes(typeof value));
  if (wrong !== undefined || listed.length === 0)
    throw failed(
      5400,
      `A value of \`filter.metadata\` must be a string, a number or a boolean; found ${quote(operand)}.`,
    );
  if (Array.isArray(operand) && listed.some((value) => String(value).includes("|")))
    throw failed(
      5400,
      `A value of a list in \`filter.metadata\` must not contain \`|\`; found ${quote(operand)}.`,
    );
  return listed.map(String).join("|");
}

function failed(code: Code, message: string): ApiError {
  return new ApiError(problem(code, message));
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError ? bindingError("HOSTED", error.code, error.message) : error;
  }
}

/** The value for an image that does not exist. */
async function orAbsent<T, A>(absent: A, work: () => Promise<T>): Promise<T | A> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 5404) return absent;
    throw error instanceof ApiError ? bindingError("HOSTED", error.code, error.message) : error;
  }
}
