/** Every benchmark by its name: `npm run bench -- --list` prints this table. */
import type { Rows } from "./harness.ts";

interface Described {
  /** The measured work, for the list. */
  readonly what: string;
}

/** Contests of the harness: rows with ratios and targets. Several run in one process, and without a name all of them do. */
export interface Area extends Described {
  readonly rows: (options: AreaOptions) => Promise<Rows>;
  /** Takes minutes: measured only when it is named. */
  readonly isLong?: true;
}

export interface AreaOptions {
  /** File of names to match beside the generated ones. */
  readonly names?: string;
}

/**
 * A process of its own, with options that its first comment describes. It exits with 1 when a target is missed, unless it
 * has none.
 */
export interface Program extends Described {
  /** In this folder. */
  readonly file: string;
  /** Imports `edgeproof` from the sources; from the built package without it. */
  readonly ofSources?: true;
  /** Prints figures to compare by hand; its exit code says nothing about them. */
  readonly withoutTargets?: true;
}

export const areas: Readonly<Record<string, Area>> = {
  tokens: {
    what: "token rules through a ruleset, and custom rules, against peers",
    rows: async () => (await import("./tokens.ts")).benchTokens(),
  },
  "tokens-verify": {
    what: "verification of tokens against jose and fast-jwt",
    rows: async () => (await import("./tokens-verify.ts")).benchTokensVerify(),
  },
  "tokens-suite": {
    what: "making and mutating a suite",
    rows: async () => (await import("./tokens-suite.ts")).benchTokensSuite(),
  },
  "custom-rules": {
    what: "custom rules: compiling and evaluating",
    rows: async () => (await import("./custom-rules.ts")).benchCustomRules(),
  },
  proxy: {
    what: "validation of proxy applications against zod and hand-written checks",
    rows: async () => (await import("./proxy.ts")).benchProxy(),
  },
  brand: {
    what: "domain matching; --names FILE adds the names of a file",
    rows: async ({ names }) =>
      (await import("./brand.ts")).benchBrand(names === undefined ? {} : { namesFile: names }),
  },
  "brand-feed": {
    what: "a million names of a feed",
    rows: async () => (await import("./brand-feed.ts")).benchBrandFeed(),
    isLong: true,
  },
  "domain-lists": {
    what: "lists over a million matches",
    rows: async () => (await import("./domain-lists.ts")).benchDomainLists(),
    isLong: true,
  },
  stores: {
    what: "common calls of the stores against bare queries; --large has more records",
    rows: async () => (await import("./stores.ts")).benchStores(),
  },
  images: {
    what: "rendering variants against sharp and ipx",
    rows: async () => (await import("./images.ts")).benchImages(),
  },
  "images-jimp": {
    what: "rendering variants against jimp",
    rows: async () => (await import("./images.ts")).benchImagesJimp(),
    isLong: true,
  },
  "images-delivery": {
    what: "delivery of cached and new variants",
    rows: async () => (await import("./images-delivery.ts")).benchImagesDelivery(),
  },
  "images-transform": {
    what: "transformations by address against ipx behind its server",
    rows: async () => (await import("./images-transform.ts")).benchImagesTransform(),
  },
  http: {
    what: "the fetch handler against a bare route",
    rows: async () => (await import("./http.ts")).benchHttp(),
  },
  replay: {
    what: "replaying Logpush records against JSON.parse",
    rows: async () => (await import("./replay.ts")).benchReplay(),
  },
  "language-server": {
    what: "answers of the language server in a zone of 300 rules",
    rows: async () => (await import("./language-server.ts")).benchLanguageServer(),
  },
  startup: {
    what: "the start of each entry and of the executable",
    rows: async () => (await import("./startup.ts")).benchStartup(),
  },
};

export const programs: Readonly<Record<string, Program>> = {
  compare: {
    file: "compare.ts",
    what: "two files of --json side by side: compare BEFORE.json AFTER.json",
    withoutTargets: true,
  },
  names: {
    file: "names.ts",
    what: "recall and false alarms of each mode of domain matching: --data FOLDER",
  },
  million: {
    file: "names-large.ts",
    what: "observing a million names, and lookbacks over them: --sizes 40000 --stores sqlite",
    ofSources: true,
    withoutTargets: true,
  },
  sizes: { file: "browser-sizes.ts", what: "bundles of the entries for browsers", ofSources: true },
  logos: {
    file: "logos/evaluate.ts",
    what: "recall and false alarms of logos, a row a data set: --sets pages,text",
    withoutTargets: true,
  },
  pictures: {
    file: "pictures.ts",
    what: "false alarms of the comparison with approved pictures: --data FOLDER",
  },
  blocks: { file: "blocks.ts", what: "the longest time for which each endpoint keeps the main thread" },
  writers: { file: "account-writers.ts", what: "processes that write matches of one account to PostgreSQL" },
  workers: { file: "workers.ts", what: "workers over queues: one against two, and memory" },
  kills: { file: "kills.ts", what: "workers that are killed: nothing lost, nothing doubled" },
  lookback: { file: "lookback.ts", what: "stored pictures searched for a new logo", withoutTargets: true },
  soak: { file: "soak.ts", what: "memory, handles and latencies of `serve` in ten minutes on each store" },
  contention: {
    file: "contention.ts",
    what: "reads beside scans of a million rows, and four servers on one database",
  },
  load: { file: "load.ts", what: "`serve` under load" },
  "uploads-memory": { file: "images-memory.ts", what: "memory of eight uploads of 100 megapixels" },
  "stores-large": {
    file: "stores-large.ts",
    what: "lists of a million, step by step: stores-large PLACE STEP",
    withoutTargets: true,
  },
};
