/** `npm run bench [area...]`: measures every area, or the named ones, and prints one table. */
import { meets, printRows, type Row } from "./harness.ts";

/** `--names file`: names to match beside the generated ones. */
const namesFlag = process.argv.indexOf("--names");
const namesFile = namesFlag < 0 ? undefined : process.argv[namesFlag + 1];

const areas: Readonly<Record<string, () => Promise<Row[]>>> = {
  tokens: async () => (await import("./tokens.ts")).benchTokens(),
  "tokens-verify": async () => (await import("./tokens-verify.ts")).benchTokensVerify(),
  "tokens-suite": async () => (await import("./tokens-suite.ts")).benchTokensSuite(),
  proxy: async () => (await import("./proxy.ts")).benchProxy(),
  brand: async () => (await import("./brand.ts")).benchBrand(namesFile === undefined ? {} : { namesFile }),
  "brand-feed": async () => (await import("./brand-feed.ts")).benchBrandFeed(),
  "domain-lists": async () => (await import("./domain-lists.ts")).benchDomainLists(),
  logos: async () => (await import("./logos/speed.ts")).benchLogos(),
  stores: async () => (await import("./stores.ts")).benchStores(),
  images: async () => (await import("./images.ts")).benchImages(),
  "images-delivery": async () => (await import("./images-delivery.ts")).benchImagesDelivery(),
  http: async () => (await import("./http.ts")).benchHttp(),
  replay: async () => (await import("./replay.ts")).benchReplay(),
  startup: async () => (await import("./startup.ts")).benchStartup(),
};

const named = process.argv.slice(2).filter((word) => !word.startsWith("--") && word !== namesFile);
const unknown = named.filter((name) => !Object.hasOwn(areas, name));
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(", ")}; there are ${Object.keys(areas).join(", ")}`);
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, bench] of Object.entries(areas)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.error(`measuring ${name} ...`);
  rows.push(...(await bench()));
}
console.log(printRows(rows));
const missed = rows.filter((row) => !meets(row)).length;
if (missed > 0) console.error(`${missed} of ${rows.length} rows missed their target.`);
