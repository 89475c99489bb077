/**
 * Replaying Logpush records: from the bytes of a file to the tallies, on repeated tokens, against one configuration and
 * against two; and `JSON.parse` of the same lines alone, which is the physical limit of a reader of JSON Lines.
 *
 * `--records n` replays a generated stream of n records after the table, and prints the memory at each tenth.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { pathToFileURL } from "node:url";
import type { JwtKey, TokenRule } from "edgeproof/tokens";
import { createReplay, createTrafficReader, type Replay, type ReplayZone } from "edgeproof/world";
import { measure, type Rows, timeOf } from "./harness.ts";

const tokens = 100;
const records = 2000;

/** The minimum speed: 100,000 records a second. */
const maxNsARecord = 10_000;

const nowSeconds = 1_795_341_600;
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = { ...pair.publicKey.export({ format: "jwk" }), alg: "RS256", kid: "key-1" } as JwtKey;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function mint(i: number): string {
  const claims = { iss: "https://id.example.com/", sub: `user-${i}`, aud: "shop", exp: nowSeconds + 36_000 };
  const input = `${encode({ alg: "RS256", typ: "JWT", kid: "key-1" })}.${encode(claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), pair.privateKey).toString("base64url")}`;
}

const minted = Array.from({ length: tokens }, (_, i) => mint(i));

/** A record with the fields that the replay needs and as many others as a job usually has. */
function recordOf(i: number): string {
  return JSON.stringify({
    ClientIP: "203.0.113.7",
    ClientRequestHost: "api.example.com",
    ClientRequestScheme: "https",
    ClientRequestProtocol: "HTTP/2",
    EdgeStartTimestamp: (nowSeconds + (i % 3600)) * 1e9,
    EdgeResponseStatus: 200,
    EdgeResponseBytes: 512 + i,
    RayID: `8e5c1f2a3b4c${i.toString(16).padStart(4, "0")}`,
    SecurityActions: [],
    SecuritySources: [],
    SecurityRuleIDs: [],
    ClientRequestMethod: "GET",
    ClientRequestPath: `/v1/orders/${i}`,
    ClientRequestURI: `/v1/orders/${i}?expand=items`,
    ClientRequestUserAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
    RequestHeaders: { authorization: `Bearer ${minted[i % tokens]}`, accept: "application/json" },
    Cookies: {},
    WebAssetsOperationID: "orders",
  });
}

const lines = Array.from({ length: records }, (_, i) => recordOf(i));

/** Size of the chunks in which a file is read, in bytes. */
const chunkBytes = 65_536;

function chunksOf(texts: readonly string[]): readonly Buffer[] {
  const bytes = Buffer.from(`${texts.join("\n")}\n`);
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
}

const chunks = chunksOf(lines);

/** The same records of a job without the field of cookies: a token in a cookie is unknown. */
const chunksWithoutCookies = chunksOf(lines.map((line) => line.replace('"Cookies":{},', "")));

function zoneOf(expression = 'is_jwt_valid("web")'): ReplayZone {
  const selector = { include: [{ host: ["api.example.com"] }] };
  const rule: TokenRule = { id: "r1", action: "block", enabled: true, selector, expression };
  const operations = Array.from({ length: 50 }, (_, i) => {
    return {
      operation_id: `op${i}`,
      method: "GET",
      host: "api.example.com",
      endpoint: `/v1/things${i}/{id}`,
    };
  });
  const orders = {
    operation_id: "orders",
    method: "GET",
    host: "api.example.com",
    endpoint: "/v1/orders/{id}",
  };
  const credentials = { keys: [jwk] };
  const configs = [
    { id: "web", token_sources: ['http.request.headers["authorization"][0]'], credentials },
    { id: "app", token_sources: ['http.request.cookies["session"][0]'], credentials },
  ];
  const used = configs.filter(({ id }) => expression.includes(id));
  return { id: "z1", input: { configs: used, rules: [rule], operations: [orders, ...operations] } };
}

/** A function that replays all records once. */
function replayOf(replay: Replay, bytes: readonly Buffer[] = chunks): () => number {
  return () => {
    const file = replay.startFile("log");
    const reader = createTrafficReader(file);
    for (const chunk of bytes) reader.push(chunk);
    reader.end();
    file.end();
    return replay.report().evaluated;
  };
}

function parseAll(): number {
  let sum = 0;
  for (const line of lines) sum += Object.keys(JSON.parse(line) as object).length;
  return sum;
}

export async function* benchReplay(): Rows {
  const nowMs = nowSeconds * 1000;
  const replay = replayOf(createReplay({ zones: [zoneOf()], nowMs }));
  const two = replayOf(createReplay({ zones: [zoneOf()], against: [zoneOf()], nowMs }));
  const either = zoneOf('is_jwt_valid("web") or is_jwt_valid("app")');
  const unknown = replayOf(createReplay({ zones: [either], nowMs }), chunksWithoutCookies);
  const effort = { roundMs: 20 };
  const ops = { oursOps: records, peerOps: records };
  const contest = (what: string, ours: () => number) =>
    measure({ what, ours, peer: parseAll, ...ops }, effort);
  const ns = (await timeOf(replay, effort)) / records;
  const target = { atMost: 1 };
  const what = "replay a Logpush record / 10 us";
  yield { what, ours: ns, peer: maxNsARecord, ratio: ns / maxNsARecord, target };
  yield contest("JSON.parse of the record alone / replay it", replay);
  yield contest("the same / replay it against two configurations", two);
  yield contest("the same / replay it, its cookies not recorded and not needed", unknown);
}

/** Replays a generated stream of so many records, and prints the memory. */
function replayStream(count: number): void {
  const replay = createReplay({ zones: [zoneOf()], nowMs: nowSeconds * 1000 });
  const file = replay.startFile("log");
  const reader = createTrafficReader(file);
  const rounds = Math.ceil(count / records);
  const start = performance.now();
  for (let round = 1; round <= rounds; round++) {
    for (const chunk of chunks) reader.push(chunk);
    if (round % Math.max(1, Math.floor(rounds / 10)) === 0) printMemory(round * records, start);
  }
  reader.end();
  file.end();
}

function printMemory(count: number, start: number): void {
  const { rss, heapUsed } = process.memoryUsage();
  const seconds = (performance.now() - start) / 1000;
  const megabytes = (bytesUsed: number) => `${(bytesUsed / 1e6).toFixed(0)} MB`;
  const speed = Math.round(count / seconds).toLocaleString("en");
  console.log(
    `${count.toLocaleString("en")} records: ${megabytes(rss)}, heap ${megabytes(heapUsed)}, ${speed} a second`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const flag = process.argv.indexOf("--records");
  if (flag !== -1) replayStream(Number(process.argv[flag + 1]));
}
