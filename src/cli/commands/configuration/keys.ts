/** `edgeproof world keys`: the keys of an issuer for a configuration. */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { defaultMaxKeys } from "../../../engine/tokens/jwt/keys/key-set.ts";
import { formatDocument, type Io } from "../../command.ts";
import type { worldKeys } from "../../declarations/world.ts";
import type { InvocationOf } from "../../declare.ts";
import { readIssuerKeys, type SourceKeys } from "../../network/issuer-keys.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";

export async function run({ options, words, io }: InvocationOf<typeof worldKeys>): Promise<number> {
  const found = await readIssuerKeys(options, words[0], io);
  if (options.format === "json") io.stdout.write(formatDocument(found));
  else printKeys(found, io);
  return isUsable(found) ? 0 : 1;
}

/** The keys as the `credentials` of a configuration; everything else goes to standard error. */
function printKeys({ keys, dropped, notes, source }: SourceKeys, io: Io): void {
  const lines = [
    ...dropped.map(
      (diagnostic) => `dropped ${nameOf(diagnostic)} (${diagnostic.rule}): ${diagnostic.message}`,
    ),
    ...notes.map((note) => `note ${nameOf(note)}: ${note.message}`),
    `${source}: ${formatCount(keys.length, "key")} accepted, ${dropped.length} dropped`,
  ];
  io.stderr.write(lines.map((line) => `${escapeControlCharacters(line)}\n`).join(""));
  if (keys.length > 0) io.stdout.write(formatDocument({ keys }));
}

function nameOf({ pointer, subject }: Diagnostic): string {
  return [pointer === "" ? "document" : pointer, subject?.["kid"]].filter(Boolean).join(" ");
}

/** An error needs the attention of the issuer, even though other keys were accepted. */
function isUsable({ keys, dropped }: SourceKeys): boolean {
  return keys.length > 0 && keys.length <= defaultMaxKeys && !dropped.some(({ level }) => level === "error");
}
