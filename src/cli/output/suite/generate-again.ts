/** The commands that write generated suites again, when a change of the rules is intended. */
import { type GenerateOptions, generateWords } from "../../../testing/suites/generate-words.ts";
import type { evaluate } from "../../declarations/eval.ts";
import type { OptionsOf } from "../../declare.ts";
import type { RequestLine } from "../../input/requests/requests-file.ts";
import { standardInput } from "../../standard-input.ts";
import { printCommandLine } from "../command-line.ts";

/** The command with its options. */
export function generateCommand(options: GenerateOptions): string {
  return printCommandLine(generateWords(options));
}

/** A request of a file. */
interface FileRequest {
  readonly request: RequestLine;
  readonly at: { readonly file: string };
}

/** The commands by file, for files whose requests are all generated: those that were added by hand would be lost. */
export function generateAgain(
  requests: readonly FileRequest[],
  options: OptionsOf<typeof evaluate>,
): ReadonlyMap<string, string> {
  const files = [...new Set(requests.map(({ at }) => at.file))];
  const commands = files.flatMap((file) => {
    const lines = requests.filter(({ at }) => at.file === file).map(({ request }) => request);
    const generated = lines[0]?.generated;
    if (generated === undefined || lines.some((line) => line.generated === undefined)) return [];
    const { operations, zone } = generated;
    const out = file === standardInput ? undefined : file;
    const more = { operations, zone, now: lines[0]?.now, format: "json", out };
    return [[file, generateCommand({ ...options, ...more })] as const];
  });
  return new Map(commands);
}
