/** Random uploads: images of every type and the fields of a form, valid or with exactly one fault. */

import type { Arbitrary } from "fast-check";
import {
  aString,
  aUint8Array,
  objectWith,
  optional,
  recordOf,
  requireArgument,
} from "../../core/arguments.ts";
import { maxCreatorLength, maxImageIdLength } from "../../engine/images/ids.ts";
import { maxMetadataBytes } from "../../engine/images/metadata/metadata.ts";
import { encodedPictures, gifPicture, pngPicture, svgPicture } from "../pictures/picture-samples.ts";
import type { FastCheck } from "./fast-check.ts";

/** The parts of an upload's form. */
export interface Upload {
  /** Text fields by name: `id`, `creator`, `metadata`, `metadata[a][b]`, `requireSignedURLs`, `url`. */
  readonly fields: Readonly<Record<string, string>>;
  /** The field `file`. */
  readonly file?: {
    /** Content of the file. */
    readonly bytes: Uint8Array;
    /** Name that the form sends. */
    readonly filename: string;
  };
}

/** An upload that is rejected. */
export interface InvalidUpload {
  /** The upload to send. */
  readonly upload: Upload;
  /** The error code. */
  readonly code: number;
  /** Pointer of its only problem; absent when it concerns the whole form. */
  readonly pointer?: string;
}

/** A file that is rejected as an image. */
export interface InvalidPicture {
  /** Content of the file. */
  readonly bytes: Uint8Array;
  /** The error code. */
  readonly code: number;
}

const anUpload = objectWith({
  fields: recordOf(aString),
  file: optional(objectWith({ bytes: aUint8Array, filename: optional(aString) })),
});

/**
 * Builds the form of an upload, for `fetch`.
 *
 * @example
 * ```ts
 * const form = uploadForm({ fields: { id: "cover" }, file: { bytes: Buffer.from("<svg/>"), filename: "a.svg" } });
 * [...form.keys()]; // => ["id", "file"]
 * ```
 */
export function uploadForm(upload: Upload): FormData {
  requireArgument("upload", upload, anUpload);
  const { fields, file } = upload;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append("file", new Blob([file.bytes as Uint8Array<ArrayBuffer>]), file.filename);
  return form;
}

/** Small images of every accepted type. */
export function picture(fc: FastCheck): Arbitrary<Uint8Array> {
  const spec = fc.record({
    width: fc.integer({ min: 1, max: 64 }),
    height: fc.integer({ min: 1, max: 64 }),
    color: fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)),
  });
  return fc.oneof(
    spec.map(pngPicture),
    fc.tuple(spec, fc.integer({ min: 1, max: 3 })).map(([picture, frames]) => gifPicture(picture, frames)),
    spec.map(svgPicture),
    fc.constantFrom(...Object.values(encodedPictures)),
  );
}

const sample = { width: 24, height: 16, color: [20, 60, 160] } as const;

/** Offsets of the size of a GIF's screen and, after its table of 128 colors, of its first frame. */
const gifSizesAt = [6, 410];

/** A GIF whose screen and first frame declare another size than they have; it is rejected before it is decoded. */
function gifOfSize(frames: number, size: readonly number[]): Uint8Array {
  const changed = Buffer.from(gifPicture(sample, frames));
  for (const at of gifSizesAt) changed.set(size, at);
  return changed;
}

const png = pngPicture(sample);

/** Files that are not acceptable as images, one for each reason, with their codes. */
const pictureFaults: readonly (() => InvalidPicture)[] = [
  () => ({ code: 5400, bytes: new Uint8Array() }),
  () => ({ code: 5415, bytes: Buffer.from("<!doctype html><p>No image") }),
  () => ({ code: 5455, bytes: Buffer.from("49492a00080000000000", "hex") }),
  () => ({ code: 5455, bytes: Buffer.from("0000000c6a5020200d0a870a", "hex") }),
  // Cut off.
  () => ({ code: 9422, bytes: png.subarray(0, -16) }),
  () => ({ code: 9422, bytes: gifPicture(sample).subarray(0, -20) }),
  () => ({ code: 9422, bytes: encodedPictures.jpeg.subarray(0, -20) }),
  () => ({ code: 9422, bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>') }),
  // 3 frames of 12,000 x 3,000 pixels are more than the 100 million that an animation may have.
  () => ({ code: 5443, bytes: gifOfSize(3, [0xe0, 0x2e, 0xb8, 0x0b]) }),
  () => ({ code: 5413, bytes: gifOfSize(1, [0xe1, 0x2e, 16, 0]) }),
];

/** Files that are rejected as images. */
export function invalidPicture(fc: FastCheck): Arbitrary<InvalidPicture> {
  return fc.constantFrom(...pictureFaults).map((make) => make());
}

/** Metadata of an image as JSON: without a number beyond those that are exact. */
export function metadataText(fc: FastCheck): Arbitrary<string> {
  const exact = (value: unknown) => (typeof value === "number" ? value % Number.MAX_SAFE_INTEGER : value);
  return fc
    .jsonValue({ maxDepth: 2 })
    .map((value) => JSON.stringify(value, (_, member) => exact(member)))
    .filter((text) => Buffer.byteLength(text) <= 500);
}

/** The text fields of an upload with a file. */
function fields(fc: FastCheck): Arbitrary<Upload["fields"]> {
  const id = fc.constantFrom("cover", "shop/cover.jpg", "2026/räv", "v1.2");
  const metadata = fc.oneof(metadataText(fc), fc.constant('{"page":{"number":7}}'));
  const given = fc.record(
    {
      id,
      creator: fc.constantFrom("", "ada", "ü".repeat(maxCreatorLength)),
      metadata,
      requireSignedURLs: fc.constantFrom("true", "false"),
    },
    { requiredKeys: [] },
  );
  // The provider rejects custom ids for images that require signatures.
  return given.map(({ id: own, ...rest }) => {
    return { ...rest, ...(own !== undefined && rest.requireSignedURLs !== "true" && { id: own }) };
  }) as Arbitrary<Upload["fields"]>;
}

/** Uploads that a service without an image of the same id accepts. */
export function upload(fc: FastCheck): Arbitrary<Upload> {
  const filename = fc.constantFrom("a.png", "räv.jpg", "page.html", "x");
  return fc
    .record({ fields: fields(fc), bytes: picture(fc), filename })
    .map(({ bytes, filename, ...rest }) => ({ ...rest, file: { bytes, filename } }));
}

/** Another value for a field, or an object of fields. */
interface FieldFault {
  readonly fields: Readonly<Record<string, string>>;
  readonly code: number;
  readonly pointer?: string;
}

const fieldFaults: readonly FieldFault[] = [
  { fields: { requireSignedURLs: "yes" }, code: 5400, pointer: "/requireSignedURLs" },
  { fields: { requireSignedURLs: "" }, code: 5400, pointer: "/requireSignedURLs" },
  { fields: { metadata: "{a:1}" }, code: 5400, pointer: "/metadata" },
  { fields: { metadata: "" }, code: 5400, pointer: "/metadata" },
  {
    fields: { metadata: JSON.stringify("x".repeat(maxMetadataBytes - 1)) },
    code: 5400,
    pointer: "/metadata",
  },
  { fields: { metadata: "1", "metadata[a]": "1" }, code: 5400, pointer: "/metadata" },
  { fields: { creator: "c".repeat(maxCreatorLength + 1) }, code: 5400, pointer: "/creator" },
  { fields: { id: "" }, code: 5411, pointer: "/id" },
  { fields: { id: "i".repeat(maxImageIdLength + 1) }, code: 5411, pointer: "/id" },
  { fields: { id: "a/../b" }, code: 5411, pointer: "/id" },
  { fields: { id: "/a" }, code: 5411, pointer: "/id" },
  { fields: { id: "a\u0001b" }, code: 5411, pointer: "/id" },
  { fields: { id: "keys/a" }, code: 5411, pointer: "/id" },
  { fields: { id: "a/blob" }, code: 5411, pointer: "/id" },
  { fields: { id: "a.exe" }, code: 5411, pointer: "/id" },
  { fields: { url: "https://example.com/a.png" }, code: 5400 },
];

/** Forms that request an upload address: the fields of an upload, and the expiry of the address. */
export function directUpload(fc: FastCheck, nowMs: number): Arbitrary<Upload> {
  const expiry = fc.constantFrom(120, 3_600, 21_600).map((seconds) => ({ expiry: timeOf(nowMs, seconds) }));
  const end = fc.oneof(fc.constant({}), expiry);
  return fc.tuple(fields(fc), end).map(([given, last]) => ({ fields: { ...given, ...last } }));
}

/** Such forms with one fault, each in a field. */
export function invalidDirectUpload(fc: FastCheck, nowMs: number): Arbitrary<InvalidUpload> {
  const wrongExpiry = (expiry: string): FieldFault => ({
    fields: { expiry },
    code: 5400,
    pointer: "/expiry",
  });
  const faults = [
    ...fieldFaults.filter(({ fields: changed }) => changed["url"] === undefined),
    wrongExpiry("soon"),
    wrongExpiry(timeOf(nowMs, -1)),
    wrongExpiry(""),
  ];
  return fc.tuple(directUpload(fc, nowMs), fc.constantFrom(...faults)).map(
    ([good, { fields: changed, ...expected }]): InvalidUpload => ({
      upload: { fields: { ...good.fields, ...changed } },
      ...expected,
    }),
  );
}

function timeOf(nowMs: number, seconds: number): string {
  return new Date(nowMs + seconds * 1_000).toISOString();
}

/** Uploads with one fault: in a field, in the file, or without a file. */
export function invalidUpload(fc: FastCheck): Arbitrary<InvalidUpload> {
  const invalidField = fc.tuple(upload(fc), fc.constantFrom(...fieldFaults)).map(
    ([good, { fields: changed, ...expected }]): InvalidUpload => ({
      upload: { ...good, fields: { ...good.fields, ...changed } },
      ...expected,
    }),
  );
  const invalidFile = fc.tuple(fields(fc), invalidPicture(fc)).map(
    ([given, { bytes, code }]): InvalidUpload => ({
      upload: { fields: given, file: { bytes, filename: "a.png" } },
      code,
      pointer: "/file",
    }),
  );
  const noFile = fields(fc).map((given): InvalidUpload => ({ upload: { fields: given }, code: 5400 }));
  return fc.oneof(invalidField, invalidFile, noFile);
}
