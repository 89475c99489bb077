/**
 * Recall and false alarms of every mode of domain matching: `npm run bench -- names --data folder` (or the environment variable
 * EDGEPROOF_NAMES). The folder has `look-alikes-discord.txt` (names that impersonated Discord and Steam) and
 * `names-benign.txt` (ordinary registered names), one name a line. Two parts need no folder: look-alikes made by
 * replacing letters, and a generated list of names like registered ones. No setting was chosen by looking at either.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileQueries, type Matcher, type MatchOptions } from "edgeproof/brand";
import { lookAlikes } from "edgeproof/testing";
import { generateNames } from "./brand-names.ts";

const at = process.argv.indexOf("--data");
const folder = at < 0 ? process.env.EDGEPROOF_NAMES : process.argv[at + 1];

/** The rules that are compared; edits are those of the patterns unless a rule sets its own. */
const settings: readonly (readonly [string, number, MatchOptions])[] = [
  ["contains, 0 edits", 0, {}],
  ["contains, 1 edit", 1, {}],
  ["contains, 1 edit, all options", 1, { transpositions: true, confusables: true, separators: true }],
  ["contains, 2 edits", 2, {}],
  ["label, 1 edit", 1, { mode: "label" }],
  ["label, 2 edits", 2, { mode: "label" }],
  ["token, 1 edit", 1, { mode: "token" }],
  ["token, 2 edits", 2, { mode: "token" }],
  [
    "contains 0, token 2",
    0,
    {
      mode: [
        { mode: "contains", maxEdits: 0 },
        { mode: "token", maxEdits: 2, minLength: 6 },
      ],
    },
  ],
  ["recommended, without confusables", 0, { mode: "recommended", confusables: false }],
  ["recommended, without transpositions", 0, { mode: "recommended", transpositions: false }],
  ["recommended", 0, { mode: "recommended" }],
];

/** Brands of five letters and more; none of them decided a rule. */
const registryBrands = [
  "paypal",
  "microsoft",
  "netflix",
  "dropbox",
  "coinbase",
  "instagram",
  "whatsapp",
  "docusign",
  "santander",
  "barclays",
  "lufthansa",
  "vodafone",
];

const generatedNames = 100_000;
/** A seed that no other benchmark and no test uses. */
const seed = 4711;

interface NameSet {
  readonly title: string;
  readonly patterns: readonly string[];
  readonly lookAlikes: readonly string[];
  readonly benign: readonly string[];
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

/** The set of the folder; undefined, with a message, when it is missing. */
function realNames(): NameSet | undefined {
  const files = ["look-alikes-discord.txt", "names-benign.txt"].map((name) => join(folder ?? "", name));
  const missing = folder === undefined ? files : files.filter((path) => !existsSync(path));
  if (missing.length > 0) {
    console.error(
      `SKIPPED: the measurements of real names. There is no ${missing.join(" and no ")}; name the folder with --data or EDGEPROOF_NAMES.`,
    );
    process.exitCode = 1;
    return undefined;
  }
  const [lookAlike = [], benign = []] = files.map(linesOf);
  return {
    title: "names that impersonated Discord and Steam, against ordinary registered names",
    patterns: ["discord", "steamcommunity", "nitro"],
    lookAlikes: lookAlike,
    benign,
  };
}

/** Every twentieth look-alike of each kind of the generator, against generated names like registered ones. */
function generatedSet(): NameSet {
  const made = registryBrands.flatMap((brand) =>
    [...lookAlikes(`${brand}.com`)].filter((_, i) => i % 20 === 0),
  );
  return {
    title: "generated look-alikes of 12 brands, against generated names like registered ones",
    patterns: registryBrands,
    lookAlikes: made.map(({ domain }) => domain),
    benign: generateNames(generatedNames, seed),
  };
}

function matched(matcher: Matcher, names: readonly string[]): number {
  return names.filter((name) => matcher.match(name).length > 0).length;
}

function measure({ title, patterns, lookAlikes: targets, benign }: NameSet): void {
  console.log(`\n${title}: ${targets.length} look-alikes, ${benign.length} other names\n`);
  console.log("| mode | recall, % | false alarms per 10,000 names |\n|---|---|---|");
  for (const [name, limit, options] of settings) {
    const string_matches = patterns.map((pattern) => ({ pattern, max_edit_distance: limit }));
    const matcher = compileQueries([{ query_id: 1, parameters: { string_matches } }], options);
    const recall = (100 * matched(matcher, targets)) / targets.length;
    const alarms = (10_000 * matched(matcher, benign)) / benign.length;
    console.log(`| ${name} | ${recall.toFixed(1)} | ${alarms.toFixed(1)} |`);
  }
}

for (const set of [realNames(), generatedSet()]) if (set) measure(set);
