/** Valid arguments of every function that an entry exports, and of the methods of what they return; or why there are none. */

import { createEdge } from "edgeproof";
import { compareExpressions, coveringRequests, createCoverage } from "edgeproof/analysis";
import { compileLogo, describeRaster } from "edgeproof/brand";
import { compileFacts } from "edgeproof/proxy";
import { createMemoryQueue } from "edgeproof/queues/memory";
import { mintKey, mintToken } from "edgeproof/testing";
import { compileZone, parseExpression, parseTokenSource, readRequest } from "edgeproof/tokens";
import { worldFrom } from "edgeproof/world";
import fc from "fast-check";
import { drawPng } from "../../src/testing/pictures/drawing.ts";

type Arguments = readonly unknown[];

/** Arguments of a function, and those of the methods of its result by their paths. */
export interface ValidCall {
  readonly args: Arguments;
  readonly methods?: Readonly<Record<string, Arguments>>;
}

/** Functions that open connections, listen, or write files. Their wrong types are examples of their own. */
export const exceptions: Readonly<Record<string, string>> = {
  serveOnNode: "it listens",
  openJetStreamQueue: "it connects to servers",
  openPostgresQueue: "it connects to a database",
  openPostgresStore: "it connects to a database",
  openSqliteStore: "it writes files",
  runWorker: "it runs until it is stopped",
};

/** Methods whose errors are those of the platform that they simulate, or of a fetch: an Error with a message of ours. */
export const plainErrors = /^(imagesBinding|guardedFetchImage)\(\)/;

/** Arguments in which nothing is changed: they are modules of other packages. */
export const opaque: ReadonlySet<unknown> = new Set([fc]);

const selector = { include: [{ host: ["api.example.com"] }] };
const expression = 'http.request.method eq "GET"';
const rule = { id: "r1", action: "block", enabled: true, expression, selector };
const order = { operation_id: "getOrder", method: "GET", host: "api.example.com", endpoint: "/orders/{id}" };
const request = { method: "GET", url: "https://api.example.com/orders/1", headers: { authorization: "x" } };
const query = { query_id: 1, parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] } };
const app = {
  dns: { type: "CNAME", name: "ssh.example.com" },
  protocol: "tcp/22",
  origin_direct: ["tcp://192.0.2.1:22"],
};
const raster = { width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255) };
const zoneFile = {
  name: "zone.json",
  text: '{"success":true,"result":[{"id":"z1","name":"example.com","account":{"id":"a1"}}]}',
};
const openapi = {
  openapi: "3.0.3",
  servers: [{ url: "https://api.example.com/v1" }],
  security: [{ bearer: [] }],
  paths: { "/orders/{id}": { get: { operationId: "getOrder" } } },
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
};
const curl = "curl -X POST https://api.example.com/v1/orders -H 'x-team: shop'";
const sink = { request: () => {}, rejected: () => {}, skipped: () => {} };

/** The table; objects that other functions return are made once. */
export async function validCalls(): Promise<Readonly<Record<string, ValidCall>>> {
  const key = await mintKey("ES256", "k1");
  const config = {
    id: "a",
    title: "a",
    token_type: "jwt",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [key.jwk] },
  };
  const zone = {
    configs: [config],
    rules: [rule, { ...rule, id: "r2", expression: 'is_jwt_valid("a")' }],
    operations: [order],
  };
  const token = await mintToken(key, { sub: "a" });
  const verdict = await (await compileZone(zone as never)).evaluate(request as never);
  const parsed = parseExpression(`${expression} and not is_jwt_valid("a")`);
  const source = parseTokenSource('http.request.cookies["a"][0]');
  if (!parsed.ok || !source.ok) throw new Error("invalid example");
  const png = drawPng((x, y) => x > y, { side: 64 });
  const logo = await compileLogo(png);
  const described = describeRaster(raster, "query");
  const coverage = createCoverage(zone as never).report();
  const tree = verdict.trace.expressions[0]?.tree;
  const badExpression = parseExpression("is_jwt_valid(");
  const { report } = worldFrom([zoneFile]);
  const edge = createEdge();
  const tokenRule = { ...rule, id: "r2", expression: 'is_jwt_valid("a")' };
  const covering = coveringRequests({ configs: [config], rules: [tokenRule] } as never);
  const compared = compareExpressions('is_jwt_valid("a")', 'http.host eq ""', { configs: [config] } as never);
  if (compared.result !== "different") throw new Error("invalid example");
  const withToken = compared.counterexample;
  return {
    AccountSettingsError: { args: [{ rule: "a", level: "error", code: 7001, message: "a" }] },
    ApiError: { args: [{ rule: "a", level: "error", code: 7001, message: "a" }] },
    DependencyUnavailableError: { args: ["a"] },
    InvalidInputError: { args: ["a", [{ rule: "a", level: "error", code: 7001, message: "a" }]] },
    MissingBlobError: { args: ["a"] },
    UniqueViolationError: { args: ["a", ["b"]] },
    createEdge: {
      args: [{ profile: "spec", world: { zones: [{ id: "z1", name: "example.com" }] }, limits: {} }],
      methods: {
        fetch: [new Request("https://a.example/zones/z/x")],
        seed: [{ zones: [{ id: "z2", name: "a.example" }] }],
        "tokens.compile": ["z1"],
        "tokens.evaluate": ["z1", request],
        "brand.observe": ["a1", [{ domain: "paypal.com" }]],
        "brand.observeImages": ["a1", [{ domain: "paypal.com", image: png }]],
        "images.upload": ["a1", { fields: [["id", "a"]], file: { bytes: png, filename: "a.png" } }],
        "images.get": ["a1", "a"],
        "images.edit": ["a1", "a", { metadata: { a: 1 } }],
        "images.base": ["a1", "a"],
        "images.stats": ["a1"],
        "images.list": ["a1", { page: 1, per_page: 10 }],
        "images.listFrom": ["a1", { per_page: 10, sort_order: "asc", meta: [["meta.a[eq]", "1"]] }],
        "store.read": [async () => 1, {}],
        "store.write": [async () => 1, {}],
        "faults.replace": [[{ status: 500, times: 1 }]],
      },
    },
    createMemoryStore: {
      args: [],
      methods: {
        "blobs.put": ["k", new Uint8Array(1)],
        "blobs.get": ["k"],
        "blobs.getMany": [["k"]],
        "blobs.delete": ["k"],
        read: [async () => 1, {}],
        write: [async () => 1, {}],
      },
    },
    idsFrom: { args: [(n: number) => new Uint8Array(n)], methods: { hex: [8] } },
    problem: { args: [7001, "a", "/a"] },
    seededIds: { args: [1], methods: { hex: [8] } },
    checkPosition: { args: [{ index: 1 }] },
    checkReferences: { args: ['is_jwt_valid("a")', parsed.value, () => false] },
    checkRequest: { args: [request] },
    checkSelector: { args: [selector, "/a"] },
    checkTokenSources: { args: [["http.request.body"], { at: "/a" }] },
    checkZone: { args: [zone, {}] },
    compileZone: {
      args: [zone, { profile: "spec" }],
      methods: { evaluate: [request], evaluateSync: [request] },
    },
    createJoseVerifier: { args: [[key.jwk], {}], methods: { check: [token, 0] } },
    createNodeVerifier: { args: [[key.jwk], {}], methods: { check: [token, 0] } },
    createVerifier: { args: [[key.jwk], {}], methods: { check: [token, 0] } },
    decisionOf: { args: [verdict] },
    findToken: { args: [readRequest(request as never), [source.value]] },
    importKeys: { args: [[key.jwk], { mode: "reject" }] },
    keysFromJwks: { args: [{ keys: [key.jwk] }, {}] },
    locate: { args: ["a\nb", 2] },
    movePosition: { args: [["a", "b", "c"], "a", { after: "b" }] },
    parseExpression: { args: [expression, { maxLength: 100 }] },
    parseTokenSource: { args: ['http.request.cookies["a"][0]'] },
    prepareRegularExpressions: { args: [] },
    printExpression: { args: [parsed.value] },
    printSyntaxError: { args: [badExpression.ok ? undefined : badExpression.problems[0]] },
    readRequest: { args: [request] },
    references: { args: [parsed.value] },
    selectorPreview: { args: [selector, [order]] },
    traceLeaves: { args: [tree] },
    analyze: { args: [zone, {}] },
    auditOperations: {
      args: [
        { configs: [], rules: [rule] },
        [{ ...order, security: [[{ name: "bearer", source: "http.request.body" }]] }],
        {},
      ],
    },
    compareExpressions: { args: ['is_jwt_valid("a")', parsed.value, {}] },
    compareZones: {
      args: [{ configs: [], rules: [rule] }, { configs: [], rules: [] }, { maxDifferences: 1 }],
    },
    coveringRequests: { args: [{ configs: [], rules: [rule] }, {}] },
    createCoverage: { args: [zone, {}], methods: { add: [verdict] } },
    implies: { args: ['is_jwt_valid("a")', 'is_jwt_present("a")', {}] },
    mutationReport: { args: [{ configs: [], rules: [rule] }, [{ request, nowMs: 0 }], { maxSteps: 1_000 }] },
    printCoverage: { args: [coverage] },
    suiteFor: { args: [{ configs: [], rules: [rule] }, { maxSteps: 1_000 }] },
    checkQueries: { args: [[query], {}] },
    checkStringMatches: { args: [query.parameters.string_matches, {}] },
    compileLogo: { args: [png, {}] },
    compileQueries: {
      args: [[query], { mode: "contains" }],
      methods: { match: ["paypal.com"], scan: [["paypal.com", { name: "a.example" }], {}] },
    },
    describeLogo: { args: [png, { role: "query" }] },
    describeRaster: { args: [raster, "scan"] },
    findLogos: { args: [png, logo.ok ? [logo.value] : [], {}] },
    normalizeHost: { args: ["a.example"] },
    readLogoDescriptor: { args: [described.bytes] },
    tuneQuery: { args: ["paypal", ["paypal.com"]] },
    accountHash: { args: ["a"] },
    checkCustomId: { args: ["a", {}] },
    checkKeyName: { args: ["a"] },
    checkMetadata: { args: [{ a: 1 }, "/a"] },
    checkVariantId: { args: ["a", "/id"] },
    checkVariantOptions: { args: [{ fit: "cover", width: 1, height: 1 }, { complete: false }] },
    chooseFormat: { args: ["image/webp", { type: "png", frames: 1, side: 1 }, { avifSide: 10 }] },
    cleanSvg: { args: ['<svg xmlns="http://www.w3.org/2000/svg"/>', { svgDepth: 3 }] },
    compileFilters: {
      args: [[{ path: ["a"], operator: "eq", values: ["b"] }]],
      methods: { matches: [{ a: "b" }] },
    },
    computeSignature: { args: ["a", "b"] },
    createImageFetch: {
      args: [edge, { zone: "z1", fetch: async () => new Response("a") }],
      methods: { "": ["https://a.example/", {}] },
    },
    createImagesBindingFetch: {
      args: [{ limits: {}, strict: true }],
      methods: { "": [new Request("https://a.example/info", { method: "POST", body: "x" })] },
    },
    imagesBinding: {
      args: [{ limits: {}, target: { edge, account: "a1" } }],
      methods: {
        info: [new Blob([png]).stream()],
        text: ["a", { size: 12, color: "red" }],
        input: [new Blob([png]).stream()],
        "hosted.upload": [png.slice().buffer, { id: "a", metadata: { a: 1 }, requireSignedURLs: false }],
        "hosted.list": [
          { limit: 1, sortOrder: "asc", creator: "a", filter: { metadata: { a: { in: [1] } } } },
        ],
        "hosted.image": ["a"],
        "hosted.createDirectUpload": [{ expiresIn: 120, metadata: { a: 1 } }],
      },
    },
    parseMetadataFields: { args: [[["metadata", "{}"]]] },
    parseMetadataFilters: { args: [[["meta.a[eq]", "b"]]], methods: {} },
    parseTransformation: { args: ["w=400,trim.left=1,background=red"] },
    planGeometry: {
      args: [
        { width: 10, height: 5 },
        { fit: "cover", width: 3, height: 4 },
      ],
    },
    renderBase: { args: [png, {}] },
    renderVariant: { args: [png, { fit: "cover", width: 4, height: 4 }, { accept: "image/webp" }] },
    signAddress: { args: ["/h/i/v", "key", 1] },
    sniffImage: { args: [png] },
    transformPicture: {
      args: [png, { width: 4, gravity: { x: 0.5 }, trim: { top: 1 } }, { accept: "image/webp", limits: {} }],
    },
    validateImage: { args: [png, {}] },
    verifyAddress: { args: [{ pathname: "/h/i/v", query: "exp=1&sig=a" }, ["key"], 0] },
    applyPatch: {
      args: [
        { tsl: "off", a: [1] },
        [
          { op: "move", from: "/tsl", path: "/tls" },
          { op: "replace", path: "/a/0", value: 2 },
        ],
      ],
    },
    checkFacts: { args: [{ zones: [{ id: "z", name: "example.com" }] }] },
    compileFacts: { args: [{ zones: [{ id: "z", name: "example.com" }] }] },
    mergeApp: { args: [app, { tls: "full" }] },
    originAccess: { args: [{ family: 4, words: [0, 0, 0, 0x7f000001] }] },
    validateApp: { args: [app, {}, {}] },
    validateApps: { args: [[app], {}, {}] },
    validateCompiled: { args: [app, compileFacts({}), {}] },
    auditOpenApi: { args: [openapi, { configs: [], rules: [rule] }, { hosts: ["api.example.com"] }] },
    couldChange: {
      args: [
        [
          ...report.undecided,
          {
            about: "key",
            run: "a",
            rule: "undecided",
            level: "warning",
            message: "a",
            at: { file: "a", start: { line: 1, column: 1 } },
            subject: { zone: "z1" },
            effect: { hosts: ["a.example"] },
          },
        ],
        { zone: "z1", host: "a.example" },
      ],
    },
    createReplay: {
      args: [{ zones: [{ id: "z1", input: { configs: [], rules: [rule] } }], nowMs: 0 }],
      methods: { startFile: ["a"] },
    },
    createTrafficReader: { args: [sink, {}], methods: { push: [Buffer.from(curl)] } },
    readExpectedChanges: { args: [[{ host: "a.example", from: "allow", to: "block" }]] },
    readOpenApi: { args: [openapi, { hosts: ["api.example.com"] }] },
    requestsFrom: { args: [curl, {}] },
    terraformMockFile: { args: [] },
    worldFrom: { args: [[zoneFile], {}] },
    guardedFetchImage: { args: [{}], methods: { "": ["http://127.0.0.1/a.png", { maxBytes: 10 }] } },
    isPublicAddress: { args: ["192.0.2.1"] },
    brandArbitraries: { args: [fc] },
    contractWithGaps: { args: [{}] },
    countingIds: { args: [], methods: { hex: [8] } },
    createTestClock: { args: [0], methods: { set: [1], advance: [1] } },
    createTestEdge: { args: [{ now: 0 }] },
    fillPlaceholderTokens: { args: [withToken, [key]] },
    imageArbitraries: { args: [fc] },
    lookAlikes: { args: ["paypal.com", { maxChanges: 1 }] },
    mintFaultyToken: { args: [key, "expired", {}] },
    mintKey: { args: ["ES256", "k"] },
    mintSuite: { args: [{ configs: [config], rules: [tokenRule] }, covering.requests, {}] },
    resolveSuite: {
      args: [
        { configs: [config], rules: [tokenRule] },
        [
          ...covering.requests.map((sample) => ({
            ...sample,
            expected: { ...sample.expected, logged: [{ position: 1 }] },
          })),
          {
            tokens: [],
            expected: {
              action: "block",
              rule: { ref: "a", ruleset: { kind: "zone" } },
              logged: [{ title: "a", hosts: ["a.example"] }],
              custom: {
                logged: [{ description: "a" }],
                undecided: ["a"],
                skipped: { rulesets: [{ name: "a" }], rules: [{ ruleset: "a", position: 1 }] },
              },
            },
          },
        ],
      ],
    },
    mintToken: { args: [key, { a: 1 }, { header: {} }] },
    proxyArbitraries: { args: [fc] },
    tokenArbitraries: { args: [fc, [key], {}] },
    uploadForm: { args: [{ fields: { id: "a" }, file: { bytes: png, filename: "a.png" } }] },
    createMemoryQueue: {
      args: [{}],
      methods: {
        put: [new Uint8Array(1), { key: "a" }],
        take: [{ waitMs: 0 }],
        dead: [1],
        revive: ["1"],
        drop: ["1"],
      },
    },
    createPublisher: {
      args: [{ queue: createMemoryQueue() }],
      methods: { put: [["a1"], { domain: "shop.example", image: png }] },
    },
  };
}
