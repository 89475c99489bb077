/**
 * Options that do not exist: every public function with a parameter of options, as the compiler finds them, rejects a name that is
 * not one of them, so that a misspelt option is not ignored.
 */
import { createEdge, profiles } from "edgeproof";
import { createMemoryQueue } from "edgeproof/queues/memory";
import { pictureMatchers, verdictMatchers } from "edgeproof/testing";
import { describe, expect, test } from "vitest";
import { type OptionParameter, optionParameters } from "./option-parameters.ts";
import { exportedFunctions } from "./targets.ts";
import { validCalls } from "./valid-calls.ts";

/** Types of parameters that are not options, with the reason. */
const dataTypes: Readonly<Record<string, string>> = {
  ZoneInput: "a zone; its unknown members are notes",
  NamedParts: "a zone; its unknown members are notes",
  Selector: "a part of a zone",
  SimulatedRequest: "a request; `checkRequest` reports its problems",
  RecordedRequest: "a recorded request, whose record may have more",
  RejectedRecord: "a record that was rejected",
  AnsweredRequest: "a request with whatever else is known of it",
  App: "a stored application, which may have members of the interface",
  PreviousApp: "a stored application, which may have members of the interface",
  Facts: "the facts of an account; `checkFacts` reports unknown members",
  CodedDiagnostic: "a finding",
  ExpressionError: "an error that `parseExpression` returned",
  PlainVerdict: "a verdict, also one of another version",
  LeafTrace: "a part of a verdict",
  OperatorTrace: "a part of a verdict",
  ScanRecord: "a record of a feed",
  Upload: "a value of an arbitrary, which may say what is wrong with it",
  UploadForm: "the fields of a request",
  FetchTransformation: "a request",
  FetchImageRequest: "the edge calls the function, and may say more in later versions",
  TrafficSink: "an object of the caller, such as an instance of a class",
  Caller: "what is known of the sender of a request",
  MatchRequest: "the query of a request",
  LogoMatchRequest: "the query of a request",
  ListRequest: "the query of a request",
  TokenListRequest: "the query of a request",
  AppListRequest: "the query of a request",
  "{ readonly id?: string | undefined; readonly download?: boolean | undefined; }": "the query of a request",
  ImageFetchInit: "the argument of a platform's `fetch`, which ignores unknown members",
  HostedTarget: "an edge and an account",
  DenseCalibration: "what `compileLogo` returned",
};

/** Parameters that are checked in another way, with the reason. */
const otherwise: Readonly<Record<string, string>> = {
  "renderVariant(options)": "an unknown option of a variant is a problem of the result",
  "createEdge().images.previews.render(options)": "an unknown option of a variant is a problem of the result",
  "createEdge(world)": "a world has a schema of its own",
  "createTestEdge(world)": "a world has a schema of its own",
  "createEdge().seed(world)": "a world has a schema of its own",
};

/** Methods of the Images binding, which are those of the platform and throw what it throws. */
const isOfPlatform = (path: string) => path.startsWith("imagesBinding().");

type Call = (...args: unknown[]) => unknown;

/** Functions that `validCalls` does not have, with arguments that come before the options; the options have what is required. */
async function ownCalls(): Promise<
  Readonly<Record<string, readonly [call: Call, args: readonly unknown[]]>>
> {
  const exported = await exportedFunctions();
  const calls = await validCalls();
  const edge = createEdge({ world: { accounts: [{ id: "a1" }] } });
  const resultOf = async (name: string) => exported.get(name)?.(...(calls[name]?.args ?? []));
  const queue = createMemoryQueue();
  await queue.put(new Uint8Array(1));
  const taken = await queue.take();
  const tokens = (await resultOf("tokenArbitraries")) as Record<string, Call>;
  const pictures = (await resultOf("imageArbitraries")) as Record<string, Call>;
  const matcher = (await resultOf("compileQueries")) as Record<string, Call>;
  const { brand } = edge as unknown as { brand: Record<string, Call> & Record<string, Record<string, Call>> };
  const iterate = async (call: Call, args: readonly unknown[]) => {
    for await (const _ of call(...args) as AsyncIterable<unknown>);
  };
  const target = { address: "https://a.example/cdn-cgi/imagedelivery/h/i/v", nowMs: 0 };
  return {
    serveOnNode: [exported.get("serveOnNode")!, [async () => new Response(), { port: -1 }]],
    openSqliteStore: [exported.get("openSqliteStore")!, [{ path: "" }]],
    openPostgresStore: [
      exported.get("openPostgresStore")!,
      [{ connectionString: "postgres://127.0.0.1:1/a" }],
    ],
    openPostgresQueue: [exported.get("openPostgresQueue")!, [{ connectionString: "", ackWaitMs: -1 }]],
    openJetStreamQueue: [exported.get("openJetStreamQueue")!, [{ servers: "", ackWaitMs: -1 }]],
    runWorker: [exported.get("runWorker")!, [{ queue, edge, signal: AbortSignal.abort(), ackWaitMs: 0 }]],
    lookAlikes: [(...args) => iterate(exported.get("lookAlikes")!, args), ["paypal.com", { limit: 1 }]],
    "compileQueries().scan": [(...args) => iterate(matcher["scan"]!, args), [["paypal.com"], {}]],
    "createEdge().store.read": [edge.store.read as Call, [async () => 1, {}]],
    "createEdge().store.write": [edge.store.write as Call, [async () => 1, {}]],
    "createEdge().brand.observe": [brand["observe"] as Call, ["a1", ["shop.example"], {}]],
    "createEdge().brand.observeImages": [brand["observeImages"] as Call, ["a1", [], {}]],
    "createEdge().brand.pictures.store": [brand["pictures"]!["store"]!, ["a1", undefined, {}]],
    "createEdge().brand.pictures.observe": [brand["pictures"]!["observe"]!, [["a1"], {}, {}]],
    "createEdge().brand.ingest.names": [brand["ingest"]!["names"]!, ["a1", ["shop.example"], {}]],
    "createEdge().brand.ingest.pictures": [brand["ingest"]!["pictures"]!, ["a1", [], {}]],
    "createMemoryQueue().take": [queue.take as Call, [{}]],
    "createMemoryQueue().take().retry": [taken?.retry as Call, [{}]],
    "tokenArbitraries().request": [
      tokens["request"]!,
      [calls["checkZone"]?.args[0], [], { allowUnreachable: true }],
    ],
    "imageArbitraries().delivery": [pictures["delivery"]!, [target]],
    "imageArbitraries().invalidDelivery": [pictures["invalidDelivery"]!, [target]],
    "pictureMatchers.toMatchPicture": [
      pictureMatchers.toMatchPicture as Call,
      [new Uint8Array(), "no-such-folder/a.png", {}],
    ],
    ...Object.fromEntries(
      (["toBlock", "toLog", "toChallenge", "toAllow"] as const).map((name) => [
        `verdictMatchers.${name}`,
        [verdictMatchers[name] as Call, [calls["decisionOf"]?.args[0], {}]],
      ]),
    ),
  };
}

const parameters = optionParameters().filter(
  ({ path, parameter, type }) =>
    !Object.hasOwn(dataTypes, type) &&
    !Object.hasOwn(otherwise, `${path}(${parameter})`) &&
    !isOfPlatform(path),
);
const own = await ownCalls();
const calls = await validCalls();
const exported = await exportedFunctions();

/** A call with other options than the valid ones. */
async function callFor({ path, index }: OptionParameter): Promise<(change: object) => Promise<unknown>> {
  const found = own[path] ?? (await listedCall(path));
  if (!found)
    throw new Error(`${path} has options: add valid arguments of it to this file, or the reason why not`);
  const [call, args] = found;
  const valid = args[index] ?? {};
  return async (change) =>
    call(
      ...Array.from({ length: Math.max(args.length, index + 1) }, (_, i) =>
        i === index ? { ...valid, ...change } : args[i],
      ),
    );
}

/** The arguments of an exported function, or of a method of its result, in the table of valid calls. */
async function listedCall(path: string): Promise<readonly [Call, readonly unknown[]] | undefined> {
  const [name = "", ...rest] = path.split("().");
  const call = exported.get(name);
  const listed = calls[name];
  if (!call || !listed || rest.length > 1) return undefined;
  const [method] = rest;
  if (method === undefined) return [call, listed.args];
  const args = listed.methods?.[method];
  const result = (await call(...listed.args)) as Record<string, Call>;
  return args && [result[method] as Call, args];
}

/** The error of a call; undefined when it has another one or none. */
async function optionError(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || !error.message.includes("is not an option of")) return undefined;
  expect(error).toBeInstanceOf(TypeError);
  return error.message;
}

test("the compiler finds the options of the functions that are known to have some", () => {
  const paths = parameters.map(({ path }) => path);
  for (const path of ["createEdge", "serveOnNode", "worldFrom", "compileQueries().scan", "validateImage"])
    expect(paths).toContain(path);
  expect(paths.length).toBeGreaterThan(70);
});

test("each exception is one of a parameter that exists", () => {
  const all = optionParameters();
  const types = new Set(all.flatMap(({ type, groups }) => [type, ...groups.map((group) => group.type)]));
  expect(Object.keys(dataTypes).filter((type) => !types.has(type))).toEqual([]);
  const names = new Set(
    all.flatMap(({ path, parameter, groups }) =>
      [parameter, ...groups.map((group) => group.member)].map((name) => `${path}(${name})`),
    ),
  );
  expect(Object.keys(otherwise).filter((name) => !names.has(name))).toEqual([]);
});

describe.each(
  parameters.map(
    (parameter) => [`${parameter.path}(${parameter.parameter}: ${parameter.type})`, parameter] as const,
  ),
)("%s", (_, parameter) => {
  test("rejects a name that does not exist, and names the nearest option of a misspelt one", async () => {
    const call = await callFor(parameter);
    expect(await optionError(call({ zzUnknown: 1 }))).toContain("`zzUnknown` is not an option of");
    for (const name of parameter.names) {
      if (name.length < 4 || Object.hasOwn(profiles.spec, `${name}z`)) continue;
      const message = await optionError(call({ [`${name}z`]: 1 }));
      // Another name can be as near, such as that of a plural.
      expect(parameter.names, name).toContain(/; did you mean `(\w+)`\?$/.exec(String(message))?.[1]);
    }
  });

  test("ignores members that are undefined, and accepts the settings of a profile", async () => {
    const call = await callFor(parameter);
    expect(await optionError(call({ zzUnknown: undefined }))).toBeUndefined();
    expect(await optionError(call({ ...profiles.provider }))).toBeUndefined();
  });

  const groups = parameter.groups.filter(
    ({ member, type }) =>
      !Object.hasOwn(dataTypes, type) && !Object.hasOwn(otherwise, `${parameter.path}(${member})`),
  );
  test.each(groups.map(({ member }) => member))(
    "rejects a name that does not exist in %s",
    async (member) => {
      const call = await callFor(parameter);
      expect(await optionError(call({ [member]: { zzUnknown: 1 } }))).toContain(
        "`zzUnknown` is not an option of",
      );
      expect(await optionError(call({ [member]: { zzUnknown: undefined } }))).toBeUndefined();
    },
  );
});
