/** `check --issuer` and `--jwks`: whether a configuration has the keys of its issuer. */

import type { Level } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { compareKeys } from "../../../import/keys/compare-keys.ts";
import { type Io, UsageError } from "../../command.ts";
import type { CheckValues } from "../../declarations/check.ts";
import type { WorldZones } from "../../input/world-zones.ts";
import { readIssuerKeys } from "../../network/issuer-keys.ts";
import type { ReportCase } from "../../output/report/report.ts";
import { type CheckedConfig, describeKeys, keysCase } from "../../output/results/keys.ts";

/** The case of the configuration, and what was compared. @throws {UsageError} unless one configuration is meant */
export async function checkKeys(
  world: WorldZones,
  failOn: Level,
  options: CheckValues,
  io: Io,
): Promise<{ readonly cases: readonly ReportCase[]; readonly summary: string }> {
  const config = selectConfig(world, options.config);
  const source = await readIssuerKeys(options, options.jwks, io);
  const checked = { config, findings: compareKeys(config.credentials, source) };
  return { cases: [keysCase(checked, failOn, world)], summary: describeKeys(checked, source) };
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
