/** `edgeproof variants`: lists look-alikes of a domain. */

import { didYouMean } from "../../core/suggest.ts";
import { type LookAlikeKind, lookAlikeKinds, lookAlikes } from "../../testing/look-alikes.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOptions,
  UsageError,
} from "../command.ts";

/** Width of the column of names. */
const nameWidth = 40;

export const variants: CommandDefinition = {
  about: [
    "Lists names that impersonators could register: homoglyphs, swaps, omissions, other suffixes and more. Pipe them to `edgeproof match` to see which of them a query finds.",
  ],
  positionals: "<domain>",
  options: {
    kind: {
      type: "string",
      multiple: true,
      value: "technique",
      help: `Only this technique; can be repeated. ${lookAlikeKinds.join(", ")}.`,
    },
    json: { type: "boolean", help: "JSON Lines, which `edgeproof match` reads." },
  },
  exits: {
    0: "The names are listed.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof variants paypal.com",
    "edgeproof variants paypal.com --kind homoglyph --kind transposition",
    "edgeproof variants paypal.com --json | edgeproof match --pattern paypal:1",
  ],
  run: runVariants,
};

async function runVariants(input: CommandInput, io: Io): Promise<number> {
  const [domain, ...rest] = input.positionals;
  if (domain === undefined || rest.length > 0)
    throw new UsageError(`expected one domain, such as paypal.com; found ${input.positionals.length}`);
  const kinds = stringOptions(input, "kind").map(readKind);
  const asLine = booleanOption(input, "json") ? JSON.stringify : plainLine;
  try {
    for (const variant of lookAlikes(domain, kinds.length > 0 ? { kinds } : {}))
      io.stdout.write(`${asLine(variant)}\n`);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
  return 0;
}

function plainLine({ domain, technique }: { readonly domain: string; readonly technique: string }): string {
  return `${domain.padEnd(nameWidth)}  ${technique}`;
}

function readKind(word: string): LookAlikeKind {
  const kind = lookAlikeKinds.find((known) => known === word);
  if (kind) return kind;
  throw new UsageError(
    `--kind must be one of ${lookAlikeKinds.join(", ")}; found \`${word}\`${didYouMean(word, lookAlikeKinds)}`,
  );
}
