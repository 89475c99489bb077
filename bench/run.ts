/** `npm run bench [area...]`: measures every area, or the named ones, and prints rows as they are measured. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cellsOf, heads, meets, printLine, processorMs, type Row, type Rows } from "./harness.ts";

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    /** Names to match beside the generated ones. */
    names: { type: "string" },
    /** File for the rows, for `npm run bench:compare`. */
    json: { type: "string" },
    /** More records in the stores. */
    large: { type: "boolean" },
  },
});

const areas: Readonly<Record<string, () => Promise<Rows>>> = {
  tokens: async () => (await import("./tokens.ts")).benchTokens(),
  "tokens-verify": async () => (await import("./tokens-verify.ts")).benchTokensVerify(),
  "tokens-suite": async () => (await import("./tokens-suite.ts")).benchTokensSuite(),
  "custom-rules": async () => (await import("./custom-rules.ts")).benchCustomRules(),
  proxy: async () => (await import("./proxy.ts")).benchProxy(),
  brand: async () =>
    (await import("./brand.ts")).benchBrand(options.names === undefined ? {} : { namesFile: options.names }),
  "brand-feed": async () => (await import("./brand-feed.ts")).benchBrandFeed(),
  "domain-lists": async () => (await import("./domain-lists.ts")).benchDomainLists(),
  logos: async () => (await import("./logos/speed.ts")).benchLogos(),
  stores: async () => (await import("./stores.ts")).benchStores(),
  images: async () => (await import("./images.ts")).benchImages(),
  "images-jimp": async () => (await import("./images.ts")).benchImagesJimp(),
  "images-delivery": async () => (await import("./images-delivery.ts")).benchImagesDelivery(),
  "images-transform": async () => (await import("./images-transform.ts")).benchImagesTransform(),
  http: async () => (await import("./http.ts")).benchHttp(),
  replay: async () => (await import("./replay.ts")).benchReplay(),
  "language-server": async () => (await import("./language-server.ts")).benchLanguageServer(),
  startup: async () => (await import("./startup.ts")).benchStartup(),
};

/** Areas that take minutes: they are measured only when they are named. */
const longAreas = new Set(["brand-feed", "domain-lists", "images-jimp"]);

const unknown = named.filter((name) => !Object.hasOwn(areas, name));
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(", ")}; there are ${Object.keys(areas).join(", ")}`);
  process.exit(2);
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(0);

const rows: Row[] = [];
console.log(printLine(heads));
for (const [name, bench] of Object.entries(areas)) {
  if (named.length > 0 ? !named.includes(name) : longAreas.has(name)) continue;
  const start = performance.now();
  const startCpuMs = processorMs();
  for await (const row of await bench()) {
    rows.push(row);
    console.log(printLine(cellsOf(row)));
  }
  const [seconds, cpuSeconds] = [performance.now() - start, processorMs() - startCpuMs].map(inSeconds);
  console.error(`${name} took ${seconds} s, ${cpuSeconds} s of processor time`);
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, undefined, 2)}\n`);
const missed = rows.filter((row) => !meets(row)).length;
if (missed > 0) console.error(`${missed} of ${rows.length} rows missed their target.`);
