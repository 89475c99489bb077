/** Command lines of edgeproof in messages, as POSIX shells read them. */
import { maskText } from "../../core/text/secrets.ts";
import { shellWord } from "../../workbench/requests/print-curl.ts";

/** `edgeproof` with words; secrets in them are masked. */
export function printCommandLine(words: readonly string[]): string {
  return ["edgeproof", ...words].map(maskText).map(shellWord).join(" ");
}
