/** `edgeproof variants`: lists look-alikes of domains. */
import { domainToUnicode } from "node:url";

import { didYouMean } from "../../../core/suggest.ts";
import { type LookAlikeKind, lookAlikeKinds, lookAlikes } from "../../../testing/look-alikes.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  stringOptions,
  UsageError,
} from "../../command.ts";
import { byteStream } from "../../input/byte-stream.ts";
import { newSinceOption, readEarlierNames } from "../../input/names/earlier-names.ts";
import { textLines } from "../../input/names/text-lines.ts";

/** Width of the column of names. */
const nameWidth = 40;
/** Width of the column of techniques, with the gap before it. */
const techniqueWidth = 20;

export const variants: CommandDefinition = {
  about: [
    "Lists names that impersonators could register: homoglyphs, swaps, omissions, other suffixes and more. Pipe them to `edgeproof match` to see which of them a query finds.",
  ],
  positionals: "<domain...>",
  options: {
    kind: {
      type: "string",
      multiple: true,
      value: "technique",
      help: `Only this technique; can be repeated. ${lookAlikeKinds.join(", ")}.`,
    },
    dictionary: {
      type: "string",
      value: "file",
      help: "Words, one a line, for combosquat instead of the built-in ones.",
    },
    tlds: {
      type: "string",
      value: "file",
      help: "Public suffixes, one a line, for tld-swap instead of the built-in ones.",
    },
    ...newSinceOption,
    json: { type: "boolean", help: "JSON Lines, which `edgeproof match` reads." },
  },
  exits: {
    0: "The names are listed.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof variants paypal.com",
    "edgeproof variants paypal.com --kind homoglyph --kind transposition",
    "edgeproof variants paypal.com paypal.de --json --new-since last-week.jsonl",
    "edgeproof variants paypal.com --json | edgeproof match --pattern paypal:1",
  ],
  run: runVariants,
};

async function runVariants(input: CommandInput, io: Io): Promise<number> {
  const { positionals } = input;
  if (positionals.length === 0)
    throw new UsageError("expected at least one domain, such as paypal.com; found 0");
  const kinds = stringOptions(input, "kind").map(readKind);
  const words = await readWords(input, "dictionary", io);
  const suffixes = await readWords(input, "tlds", io);
  const isNew = await readEarlierNames(stringOption(input, "new-since"), io);
  const asLine = booleanOption(input, "json") ? JSON.stringify : plainLine;
  const options = {
    ...(kinds.length > 0 && { kinds }),
    ...(words && { words }),
    ...(suffixes && { suffixes }),
  };
  try {
    for (const original of positionals)
      for (const { domain, technique } of lookAlikes(original, options))
        if (isNew(domain))
          io.stdout.write(`${asLine({ domain, unicode: domainToUnicode(domain), technique, original })}\n`);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
  return 0;
}

/** The words of a file, without empty lines and comments (`#`); undefined without the option. */
async function readWords(
  input: CommandInput,
  option: "dictionary" | "tlds",
  io: Io,
): Promise<readonly string[] | undefined> {
  const file = stringOption(input, option);
  if (file === undefined) return undefined;
  const words: string[] = [];
  for await (const lines of textLines(byteStream(file, io)))
    for (const line of lines) {
      const word = line.trim().toLowerCase();
      if (word !== "" && !word.startsWith("#")) words.push(word);
    }
  if (words.length === 0) throw new UsageError(`--${option}: ${file} has no words`);
  return words;
}

interface Variant {
  readonly domain: string;
  readonly unicode: string;
  readonly technique: string;
}

/** The decoded form is printed when it differs. */
function plainLine({ domain, unicode, technique }: Variant): string {
  const line = `${domain.padEnd(nameWidth)}  ${technique}`;
  return unicode === domain ? line : `${line.padEnd(nameWidth + techniqueWidth)}  ${unicode}`;
}

function readKind(word: string): LookAlikeKind {
  const kind = lookAlikeKinds.find((known) => known === word);
  if (kind) return kind;
  throw new UsageError(
    `--kind must be one of ${lookAlikeKinds.join(", ")}; found \`${word}\`${didYouMean(word, lookAlikeKinds)}`,
  );
}
