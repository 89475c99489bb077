/** The commands that write generated suites again, when a change of the rules is intended. */
import { shellWord } from "../../../workbench/requests/print-curl.ts";
import type { evaluate } from "../../declarations/eval.ts";
import type { generate } from "../../declarations/suite.ts";
import type { OptionsOf } from "../../declare.ts";
import { standardInput } from "../../input/files.ts";
import type { RequestLine } from "../../input/requests/requests-file.ts";
import { maskSecrets } from "../safe/mask-secrets.ts";

/** When the command is right. */
export const whenIntended =
  "Only when the change of the rules is intended, write the suite again; with `--only-changed <earlier world>` requests whose decision did not change stay. Else correct the rules.";

/** The options of the command. */
interface GenerateOptions
  extends Pick<
    OptionsOf<typeof generate>,
    "zoneName" | "keysOf" | "withSecrets" | "profile" | "partial" | "zone" | "operations" | "out"
  > {
  readonly world: string;
  readonly format: string;
  /** RFC 3339 time at which the requests arrive. */
  readonly now: string | undefined;
}

/** The command with its options. */
export function generateCommand(options: GenerateOptions): string {
  const { world, zoneName, keysOf, withSecrets, profile, partial, zone, operations, now, format, out } =
    options;
  const words = [
    ...["edgeproof", "suite", "generate", "--world", world],
    ...zoneName.flatMap(({ id, domain }) => ["--zone-name", `${id}=${domain}`]),
    ...(keysOf === undefined ? [] : ["--keys-of", keysOf]),
    ...(withSecrets ? ["--with-secrets"] : []),
    ...(zone === undefined ? [] : ["--zone", zone]),
    ...(operations === "each" ? [] : ["--operations", operations]),
    ...(now === undefined ? [] : ["--now", now]),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(partial ? ["--partial"] : []),
    ...["--format", format],
    ...(out === undefined ? [] : ["--out", out]),
  ];
  return words.map(maskSecrets).map(shellWord).join(" ");
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
