/** `edgeproof brand`: its subcommands, which find names and pictures that resemble a brand. */
import { runCommand } from "../../core/text/run-command.ts";
import type { StringMatch } from "../../engine/brand/model.ts";
import { defaultEdits, readPatternWord } from "../../engine/brand/pattern-word.ts";
import type { maxEditDistance } from "../../engine/brand/query.ts";
import { quote } from "../../errors.ts";
import type { LookAlikeKind } from "../../testing/look-alikes.ts";
import { UsageError } from "../command.ts";
import {
  choice,
  choices,
  declare,
  file,
  flag,
  integer,
  list,
  outFile,
  paths,
  shortFor,
  single,
  text,
  usual,
} from "../declare.ts";
import { matchOptions, newSinceOption } from "../options/names.ts";
import { acceptOptions } from "../options/output.ts";
import { worldOption } from "../options/world.ts";

/** The compiler keeps it equal to that of the engine, which is not loaded here. */
const maxEdits: typeof maxEditDistance = 3;

/** A pattern as it was typed. */
interface TypedPattern {
  readonly word: string;
  readonly match: StringMatch;
  readonly hasEdits: boolean;
}

/** @throws {UsageError} for an edit count that is not a number */
function readPattern(word: string, name: string): TypedPattern {
  const read = readPatternWord(word);
  if ("match" in read) return { word, ...read };
  throw new UsageError(
    `${name} ${word}: the edit count must be an integer from 0 to ${maxEdits}; found ${quote(read.edits)}`,
  );
}

/** Options of matches, which a table of all settings cannot have. */
const notWithTune = ["mode", "transpositions", "confusables", "separators", "own", "newSince"] as const;

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

export const match = declare({
  name: "brand match",
  summary: "Find names that resemble a brand, in files of any size.",
  about: [
    "Reads names, one a line, in files of any size: plain names, URLs, `host:port`, `*.` wildcards, JSON Lines, records of certificate transparency, zone files with absolute names, hosts files, `evil[.]com`, or a column of comma-separated values; UTF-8 or UTF-16, with or without gzip. Invalid lines are counted and reported.",
  ],
  arguments: { usage: "[file...]", min: 0, expected: "files" },
  options: {
    pattern: list(
      "text[:edits]",
      `Pattern and maximum edit distance (0 to ${maxEdits}). Without one the recommended rules are used, and ${defaultEdits} with --mode. Can be repeated.`,
      readPattern,
    ),
    ...worldOption,
    account: text("id", "Account of the world whose queries are used. Default: the only account."),
    column: text(
      "name|number",
      "Lines are comma-separated values (or with semicolons or tabs), and names are in this column: its name in the first line, or its number from 1.",
    ),
    ...newSinceOption,
    tune: flag(
      "Report how many of the names each setting of the patterns finds, instead of the matches. Use ordinary names as a sample.",
    ),
    format: usual(choice(["table", "jsonl", "csv"], "Default table."), "table"),
    json: shortFor("format", "jsonl"),
    ...acceptOptions,
    ...matchOptions,
  },
  exits: {
    0: "All names were read, with or without matches.",
    1: "The files were read, but have no name, or some lines are invalid; standard error reports it. The matches of the others are printed.",
    2: "A file or an option cannot be used, or a file has only invalid lines; standard error says why.",
    130: "The command was stopped (Ctrl-C); the matches up to then are printed.",
  },
  examples: [
    "edgeproof brand match --pattern paypal:1 --pattern microsoft:2 names.txt",
    "zcat names.gz | edgeproof brand match --pattern paypal:1 --format jsonl",
    "edgeproof brand match --world world.json --account a1 new-domains.jsonl.gz --format csv",
    "edgeproof brand match --pattern paypal:1 --column domain registrations.csv --new-since yesterday.jsonl",
    "edgeproof brand match --tune --pattern paypal ordinary-names.txt",
  ],
  schema: "match",
  conflict: (options) => {
    const { pattern, world, tune } = options;
    if (tune && (pattern.length === 0 || world !== undefined))
      return "--tune needs --pattern, at least once, and no --world";
    if (tune && notWithTune.some((name) => isSet(options[name])))
      return "--tune reports every mode, edit count and use of confusables; it accepts --pattern, --column and --format; found an option that changes matches or selects them (--mode, --label, --token, --transpositions, --confusables, --separators, --own or --new-since). Leave it out, or leave out --tune to print matches";
    return (world !== undefined) === pattern.length > 0 && "use either --pattern, at least once, or --world";
  },
});

const kinds = [
  "homoglyph",
  "hyphenation",
  "transposition",
  "omission",
  "repetition",
  "vowel-swap",
  "keyboard-neighbour",
  "bitsquat",
  "replacement",
  "insertion",
  "combosquat",
  "embedded-suffix",
  "subdomain",
  "tld-swap",
] as const satisfies readonly LookAlikeKind[];

export const variants = declare({
  name: "brand variants",
  summary: "List the look-alikes of a domain, by technique.",
  about: [
    `Lists names that impersonators could register: homoglyphs, swaps, omissions, other suffixes and more. Pipe them to \`${runCommand} brand match\` to see which of them a query finds.`,
  ],
  arguments: { usage: "<domain...>", min: 1, expected: "at least 1 domain, such as paypal.com" },
  options: {
    kind: choices(kinds, "technique", `Only this technique; can be repeated. ${kinds.join(", ")}.`),
    dictionary: file("Words, one a line, for combosquat instead of the built-in ones."),
    tlds: file("Public suffixes, one a line, for tld-swap instead of the built-in ones."),
    changes: integer(
      "number",
      { min: 1, max: 63 },
      "Maximum number of letters that homoglyph replaces in one name, 1 to 63; default 1. Names of fewer changes come first.",
    ),
    limit: integer("number", { min: 1 }, "Maximum number of names of each domain."),
    ...newSinceOption,
    json: flag(`JSON Lines, which \`${runCommand} brand match\` reads.`),
  },
  exits: {
    0: "The names are listed.",
  },
  examples: [
    "edgeproof brand variants paypal.com",
    "edgeproof brand variants paypal.com --kind homoglyph --kind transposition",
    "edgeproof brand variants paypal.com --kind homoglyph --changes 2 --limit 10000",
    "edgeproof brand variants paypal.com paypal.de --json --new-since last-week.jsonl",
    "edgeproof brand variants paypal.com --json | edgeproof brand match --pattern paypal:1",
  ],
  schema: "variants",
});

/** The formats of matches. */
export const logoFormats = ["table", "json", "csv"] as const;

/** Score with a false-alarm rate of about 1 in 10,000 pictures. */
const defaultThreshold = 0.85;

export const logo = declare({
  name: "brand logo",
  summary: "Find logos in picture files, even when they were modified.",
  about: [
    "Finds a logo alone or anywhere on a page: scaled, recolored, on another background, padded, cropped, slightly rotated, compressed. Each picture is read once for all logos. Folders are searched with all their subfolders; links to other folders are not followed. Files that cannot be read are listed on standard error.",
    "In a folder of logos each file is a logo, and each subfolder is a brand: its files are versions of one logo, such as tiles and word marks. The best of them counts, with the alarms of one logo: a score of 0.85 needs about 0.86 with two versions and 0.89 with ten.",
    "A logo that is a plain disc, tile or letter cannot be distinguished from others; a note on standard error and in each match of --json reports it.",
  ],
  arguments: {
    usage: "<logo or folder> <page or folder...>",
    min: 2,
    expected: "the logo first, then at least 1 picture or folder to search in",
  },
  options: {
    logo: paths(list("file|folder", "Search for these logos too. Can be repeated.")),
    "one-brand": flag("All logos are versions of one brand."),
    threshold: usual(
      single(
        "0..1",
        `Minimum score. 0.75 means a false alarm in about 1,000 pictures, ${defaultThreshold} (the default) in 10,000, 1 the same picture.`,
        readThreshold,
      ),
      defaultThreshold,
    ),
    "max-pixels": usual(
      integer(
        "number",
        { min: 1, max: 100_000_000 },
        "Maximum width times height of each logo and picture, 1 to 100000000; larger ones are reported. Default 25000000.",
      ),
      25_000_000,
    ),
    format: usual(choice(logoFormats, "Default table."), "table"),
    json: shortFor("format", "json"),
    html: outFile("Also write a page with logos, matches and scores."),
    ...acceptOptions,
  },
  exits: {
    0: "All files were searched, with or without matches.",
    1: "The files and folders have no picture.",
    2: "A file or an option cannot be used; standard error lists it. Matches in the other files are printed.",
    130: "The search was stopped (Ctrl-C); the matches until then are printed, and no page is written.",
  },
  examples: [
    "edgeproof brand logo logo.png screenshots/",
    "edgeproof brand logo logo.png a.png b.jpg --threshold 0.75 --json",
    "edgeproof brand logo logos/ screenshots/ --html report.html",
    "edgeproof brand logo symbol.png screenshots/ --logo word-mark.png --one-brand",
    "edgeproof brand logo logo.png posters/ --max-pixels 100000000",
  ],
  schema: "logo",
});

function readThreshold(word: string, name: string): number {
  if (/^(?:0?\.\d+|0|1(?:\.0+)?)$/.test(word)) return Number(word);
  throw new UsageError(`${name} must be a number from 0 to 1; found \`${word}\``);
}
