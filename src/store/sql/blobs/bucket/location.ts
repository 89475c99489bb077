/** The options of a bucket, and their checks. */
import { trimEndOf } from "../../../../core/text/trim.ts";
import { quote } from "../../../../errors.ts";

/** A bucket of an S3-compatible service. */
export interface BlobBucket {
  /** Address of the service, such as `https://s3.eu-west-1.amazonaws.com`; the bucket is a segment of the path. */
  readonly endpoint: string;
  /** Name of the bucket, which must exist. */
  readonly bucket: string;
  /** Region of the signatures. By default `us-east-1`; some services want `auto`. */
  readonly region?: string;
  /** Start of all names of objects, for one bucket with several stores: segments without `/` at the end. By default none. */
  readonly prefix?: string;
  /** Name of the key that signs requests. */
  readonly accessKeyId: string;
  /** The key that signs requests. It is never sent, and in no message. */
  readonly secretAccessKey: string;
  /** For temporary credentials, which are not renewed. */
  readonly sessionToken?: string;
  /**
   * Maximum duration of a request and its repetitions, in milliseconds from 1. By default 10,000. A failed request is sent
   * up to three times. Blobs of many megabytes over a slow line need more.
   */
  readonly timeoutMs?: number;
}

/** A checked bucket. */
export interface BucketLocation extends Required<Omit<BlobBucket, "sessionToken">> {
  readonly sessionToken: string | undefined;
  /** How messages name it. */
  readonly label: string;
}

const defaultTimeoutMs = 10_000;
const longestTimeoutMs = 3_600_000;

/** Letters that no service and no proxy writes in another way; not `.` and `..`, which addresses resolve. */
const segment = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;
const regionName = /^[A-Za-z0-9-]{1,64}$/;
/** The characters that a header may have. */
const credential = /^[\x21-\x7e]{1,4096}$/;
const maxPrefix = 512;

/** @throws {TypeError} when an option is invalid */
export function locate(options: BlobBucket): BucketLocation {
  const { bucket, region = "us-east-1", prefix = "", sessionToken, timeoutMs = defaultTimeoutMs } = options;
  const { accessKeyId, secretAccessKey } = options;
  const endpoint = readEndpoint(options.endpoint);
  require(bucketName, "bucket", bucket, "3 to 255 letters, digits, `-`, `_` and `.`");
  require(regionName, "region", region, "letters, digits and `-`, such as `us-east-1`");
  if (prefix !== "" && (prefix.length > maxPrefix || !prefix.split("/").every((part) => segment.test(part))))
    reject("prefix", `segments of letters, digits, \`-\`, \`_\` and \`.\`, separated by \`/\``, prefix);
  for (const [name, value] of Object.entries({ accessKeyId, secretAccessKey, sessionToken })) {
    if (value === undefined && name === "sessionToken") continue;
    if (typeof value !== "string" || !credential.test(value))
      throw new TypeError(
        `\`${name}\` of the bucket must be a non-empty string of printable ASCII characters`,
      );
  }
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > longestTimeoutMs)
    reject("timeoutMs", `an integer from 1 to ${longestTimeoutMs}`, timeoutMs);
  const label = `${quote(bucket)} at ${quote(endpoint)}`;
  return { endpoint, bucket, region, prefix, accessKeyId, secretAccessKey, sessionToken, timeoutMs, label };
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The message does not repeat an address with a user, which may have a password.
  if (url && (url.username !== "" || url.password !== ""))
    throw new TypeError(
      "`endpoint` of the bucket must not have credentials: use `accessKeyId` and `secretAccessKey`",
    );
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    reject("endpoint", "an address that begins with https:// or http://, without a query", text);
  return trimEndOf((url as URL).href, "/");
}

function require(pattern: RegExp, name: string, value: unknown, allowed: string): void {
  if (typeof value !== "string" || !pattern.test(value)) reject(name, allowed, value);
}

function reject(name: string, allowed: string, value: unknown): never {
  throw new TypeError(`\`${name}\` of the bucket must be ${allowed}; found ${quote(value)}`);
}
