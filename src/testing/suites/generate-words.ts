/** The command line that writes a generated suite again, when a change of the rules is intended. */
import type { Profile } from "../../core/profiles.ts";

/** When the command is right. */
export const whenIntended =
  "Only when the change of the rules is intended, write the suite again; with `--only-changed <earlier world>` requests whose decision did not change stay. Else correct the rules.";

/** The options of the command. */
export interface GenerateOptions {
  readonly world: string;
  readonly zoneName?: readonly { readonly id: string; readonly domain: string }[];
  readonly keysOf?: string | undefined;
  readonly withSecrets?: boolean;
  readonly profile?: Profile | undefined;
  readonly partial?: boolean;
  readonly zone?: string | undefined;
  readonly operations: "each" | "classes";
  readonly format: string;
  readonly out?: string | undefined;
  /** RFC 3339 time at which the requests arrive. */
  readonly now: string | undefined;
}

/** The words of the command, not quoted and without the name of the program. */
export function generateWords(options: GenerateOptions): readonly string[] {
  const { world, zoneName = [], keysOf, withSecrets = false, profile, partial = false } = options;
  const { zone, operations, now, format, out } = options;
  return [
    ...["suite", "generate", "--world", world],
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
}
