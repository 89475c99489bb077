/** `edgeproof keys check`: compares a configuration with its issuer. */
import { compareKeys } from "../../../import/keys/compare-keys.ts";
import { UsageError } from "../../command.ts";
import type { keysCheck } from "../../declarations/check.ts";
import type { InvocationOf } from "../../declare.ts";
import { readWorldZones, type WorldZones } from "../../input/zone-inputs.ts";
import { readIssuerKeys } from "../../network/issuer-keys.ts";
import { formatCount } from "../../output/progress.ts";
import { printReport } from "../../output/report/formats.ts";
import { type CheckedConfig, keyReport } from "../../output/results/keys.ts";

export async function run({ options, io }: InvocationOf<typeof keysCheck>): Promise<number> {
  const world = await readWorldZones(options.world, options, io);
  const config = selectConfig(world, options.config);
  const source = await readIssuerKeys(options, options.jwks, io);
  const checked = { config, findings: compareKeys(config.credentials, source) };
  return printReport(keyReport(checked, "warning", world, source), options, io);
}

/** @throws {UsageError} unless exactly one configuration is meant */
function selectConfig({ file, zones }: WorldZones, wanted: string | undefined): CheckedConfig["config"] {
  const all = zones.flatMap(({ id: zone, at, input: { configs } }) =>
    configs.map(({ id, title = "", credentials }, i) => {
      return { zone, id, title, credentials, at: `${at}/configs/${i}` };
    }),
  );
  const chosen = all.filter(
    ({ id, title }) => wanted === undefined || id === wanted.toLowerCase() || title === wanted,
  );
  const [only] = chosen;
  if (only && chosen.length === 1) return only;
  const known =
    all.map(({ id, title }) => `\`${id}\`${title === "" ? "" : ` (${title})`}`).join(", ") || "none";
  const problem =
    wanted === undefined
      ? `--config must name a configuration, since ${file} has ${formatCount(all.length, "configuration")}`
      : `--config must be the id or title of one configuration; found ${chosen.length} with \`${wanted}\``;
  throw new UsageError(`${problem}; configurations: ${known}`);
}
