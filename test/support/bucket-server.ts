/**
 * A server with one bucket, for tests. It verifies every signature (AWS Signature Version 4) with its own code, written
 * from the specification, answers as S3 does, and fails on request.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { BlobBucket } from "../../src/store/sql/blobs/bucket/location.ts";

/** A request as the server reads it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** Name of the object; empty for the bucket itself. */
  readonly object: string;
}

/** Answers in place of the server. Returns false to let the server answer. */
export type Fault = (
  request: SeenRequest,
  response: ServerResponse,
  socket: Socket,
) => boolean | Promise<boolean>;

export interface BucketServer {
  /** Options that open the bucket. */
  readonly options: BlobBucket;
  /** The objects, by their names. */
  readonly objects: Map<string, Buffer>;
  /** All requests so far. */
  readonly requests: SeenRequest[];
  fault: Fault | undefined;
  /** Cuts all connections and accepts none. */
  stop(): Promise<void>;
  /** Accepts connections at the same address again. */
  start(): Promise<void>;
}

const region = "eu-test-1";
const maxSkewMs = 900_000;

/** Starts a server on a free port. */
export async function startBucketServer(): Promise<BucketServer> {
  const credentials = { accessKeyId: "TESTKEY", secretAccessKey: `secret/${randomUUID()}+=` };
  const bucket = "test-bucket";
  const objects = new Map<string, Buffer>();
  const requests: SeenRequest[] = [];
  const server = createServer((message, response) => {
    answer(message, response).catch(() => message.socket.destroy());
  });

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await message.toArray());
    const { pathname, searchParams } = new URL(message.url ?? "", "http://bucket");
    const [, name = "", ...rest] = pathname.split("/");
    const object = rest.map(decodeURIComponent).join("/");
    const method = message.method ?? "";
    const request = { method, path: pathname, query: searchParams, headers: message.headers, object };
    requests.push(request);
    if (await result.fault?.(request, response, message.socket)) return;
    const problem = signatureProblem(request, body, credentials);
    if (problem) return reply(response, 403, errorXml(problem));
    if (name !== bucket) return reply(response, 404, errorXml("NoSuchBucket"));
    if (object === "") return reply(response, 200, listing(objects, searchParams));
    if (method === "PUT") {
      objects.set(object, body);
      return reply(response, 200, "", { etag: tagOf(body) });
    }
    if (method === "DELETE") {
      objects.delete(object);
      return reply(response, 204);
    }
    const found = objects.get(object);
    if (found) reply(response, 200, found, { etag: tagOf(found) });
    else reply(response, 404, errorXml("NoSuchKey"));
  }

  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const result: BucketServer = {
    options: { endpoint: `http://127.0.0.1:${port}`, bucket, region, ...credentials, timeoutMs: 10_000 },
    objects,
    requests,
    fault: undefined,
    start: () => listen(port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return result;
}

/** Node sends no body to a HEAD. */
function reply(
  response: ServerResponse,
  status: number,
  body: string | Buffer = "",
  headers: object = {},
): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
}

/** The ETag of an object, as S3 answers without encryption. */
function tagOf(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

/** A document as S3 answers errors with. */
export function errorXml(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Text</Message></Error>`;
}

function listing(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const names = [...objects.keys()].filter((name) => name.startsWith(query.get("prefix") ?? "")).sort();
  const contents = names
    .slice(0, Number(query.get("max-keys") ?? 1_000))
    .map((name) => `<Contents><Key>${name}</Key></Contents>`);
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${contents.join("")}</ListBucketResult>`;
}

/** The code of the error that S3 answers a request with; undefined for a request that is signed as it must be. */
function signatureProblem(
  { method, path, query, headers }: SeenRequest,
  body: Buffer,
  { accessKeyId, secretAccessKey }: Pick<BlobBucket, "accessKeyId" | "secretAccessKey">,
): string | undefined {
  const fields =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (!fields) return "AccessDenied";
  const [, credential = "", signedHeaders = "", signature = ""] = fields;
  const [keyId = "", ...scope] = credential.split("/");
  const time = String(headers["x-amz-date"]);
  const day = time.slice(0, 8);
  if (keyId !== accessKeyId) return "InvalidAccessKeyId";
  if (scope.join("/") !== `${day}/${region}/s3/aws4_request`) return "AuthorizationHeaderMalformed";
  const instant = time.replace(/^(....)(..)(..T..)(..)(..)Z$/, "$1-$2-$3:$4:$5Z");
  if (!(Math.abs(Date.parse(instant) - Date.now()) <= maxSkewMs)) return "RequestTimeTooSkewed";
  const contentHash = createHash("sha256").update(body).digest("hex");
  if (headers["x-amz-content-sha256"] !== contentHash) return "XAmzContentSHA256Mismatch";
  const names = signedHeaders.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name)))
    return "AccessDenied";
  const parameters = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    path
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    parameters.join("&"),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, " ")}`),
    "",
    signedHeaders,
    contentHash,
  ].join("\n");
  const text = [
    "AWS4-HMAC-SHA256",
    time,
    scope.join("/"),
    createHash("sha256").update(canonical).digest("hex"),
  ];
  const hmac = (key: string | Buffer, part: string) => createHmac("sha256", key).update(part).digest();
  const key = [region, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const isValid = timingSafeEqual(hmac(key, text.join("\n")), Buffer.from(signature, "hex"));
  return isValid ? undefined : "SignatureDoesNotMatch";
}

/** Percent-encodes everything but unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
