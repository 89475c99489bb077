/** The `--blobs` option: where a store keeps its blobs, with the credentials of a bucket from the environment. */
import type { BlobBucket } from "../../store/sql/blobs/bucket/location.ts";
import { type Io, UsageError } from "../command.ts";
import { variables } from "../options/stores.ts";

type BlobValues = { readonly blobs: string | undefined };

/** The place of blobs, as stores have it in their options. */
export type BlobPlace = { readonly blobFolder: string } | { readonly blobBucket: BlobBucket } | undefined;

/** The value of `--blobs`. @throws {UsageError} when it is invalid, or names a bucket without its variables */
export function readBlobs({ blobs }: BlobValues, io: Pick<Io, "env">): BlobPlace {
  return placeOf("--blobs", blobs, io);
}

/** The value of `--blobs`, or that of EDGEPROOF_BLOBS. @throws {UsageError} as `readBlobs` */
export function readSharedBlobs(options: BlobValues, io: Pick<Io, "env">): BlobPlace {
  const name = variables.blobs;
  return options.blobs === undefined
    ? placeOf(name, io.env?.[name] || undefined, io)
    : readBlobs(options, io);
}

const bucketPattern = /^s3:\/\/([^/@]+)(?:\/([^@]*))?$/;

function placeOf(name: string, value: string | undefined, { env = {} }: Pick<Io, "env">): BlobPlace {
  if (value === undefined) return undefined;
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
  if (!isAddress && value !== "") return { blobFolder: value };
  const [, bucket, path = ""] = bucketPattern.exec(value) ?? [];
  // The value is not repeated: it may have credentials.
  if (bucket === undefined)
    throw new UsageError(
      `${name} must be a folder, or a bucket at s3://bucket/prefix without credentials, which are read from the environment`,
    );
  const prefix = path.replace(/\/$/, "");
  return { blobBucket: { bucket, ...(prefix !== "" && { prefix }), ...readEnvironment(name, env) } };
}

function readEnvironment(name: string, env: NonNullable<Io["env"]>): Omit<BlobBucket, "bucket" | "prefix"> {
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(
      `${name} names a bucket, but ${accessKeyId ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID"} is not set`,
    );
  const region = env["AWS_REGION"] || env["AWS_DEFAULT_REGION"];
  const endpoint = env["AWS_ENDPOINT_URL_S3"] || (region && `https://s3.${region}.amazonaws.com`);
  if (!endpoint)
    throw new UsageError(`${name} names a bucket, but neither AWS_REGION nor AWS_ENDPOINT_URL_S3 is set`);
  const sessionToken = env["AWS_SESSION_TOKEN"];
  return {
    endpoint,
    accessKeyId,
    secretAccessKey,
    ...(region && { region }),
    ...(sessionToken && { sessionToken }),
  };
}
