/** `edgeproof brand variants`: lists look-alikes of domains. */

import { domainToUnicode } from "../../../core/idna/host.ts";
import { lookAlikes } from "../../../testing/look-alikes.ts";
import { type Io, UsageError } from "../../command.ts";
import type { variants } from "../../declarations/brand.ts";
import type { InvocationOf } from "../../declare.ts";
import { byteStream } from "../../input/byte-stream.ts";
import { readEarlierNames } from "../../input/names/earlier-names.ts";
import { textLines } from "../../input/names/text-lines.ts";

/** Width of the column of names. */
const nameWidth = 40;
/** Width of the column of techniques, with the gap before it. */
const techniqueWidth = 20;

export async function run({ options, words, io }: InvocationOf<typeof variants>): Promise<number> {
  const { kind: kinds } = options;
  const listed = await readWords("dictionary", options.dictionary, io);
  const suffixes = await readWords("tlds", options.tlds, io);
  const isNew = await readEarlierNames(options.newSince, io);
  const asLine = options.json ? JSON.stringify : plainLine;
  const used = {
    ...(kinds.length > 0 && { kinds }),
    ...(listed && { words: listed }),
    ...(suffixes && { suffixes }),
    ...(options.changes !== undefined && { maxChanges: options.changes }),
  };
  try {
    for (const original of words) {
      let left = options.limit ?? Number.POSITIVE_INFINITY;
      for (const { domain, technique, changes } of lookAlikes(original, used)) {
        if (left === 0) break;
        if (!isNew(domain)) continue;
        left -= 1;
        const unicode = domainToUnicode(domain);
        io.stdout.write(`${asLine({ domain, unicode, technique, changes, original })}\n`);
      }
    }
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
  return 0;
}

/** The words of a file, without empty lines and comments (`#`); undefined without the option. */
async function readWords(
  option: "dictionary" | "tlds",
  file: string | undefined,
  io: Io,
): Promise<readonly string[] | undefined> {
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
