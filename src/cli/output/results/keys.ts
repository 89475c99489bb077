/** The result of `edgeproof keys check`: a report with one case for the configuration. */

import type { Diagnostic, Level } from "../../../core/diagnostic.ts";
import { place } from "../../../core/place.ts";
import { type KeyCheck, keyChecks } from "../../../import/keys/compare-keys.ts";
import type { WorldZones } from "../../input/zone-inputs.ts";
import type { SourceKeys } from "../../network/issuer-keys.ts";
import { formatCount } from "../progress.ts";
import { countLevels, type Report, type ReportCase, statusOf } from "../report/report.ts";

/** A configuration of a world. */
interface ConfigOfWorld {
  readonly zone: string;
  readonly id: string;
  readonly title: string;
  readonly credentials: unknown;
  /** RFC 6901 pointer into the world file. */
  readonly at: string;
}

/** A configuration, and its differences from the issuer. */
export interface CheckedConfig {
  readonly config: ConfigOfWorld;
  readonly findings: readonly Diagnostic<KeyCheck>[];
}

/** @param failOn level from which a finding fails the configuration */
export function keyReport(
  { config, findings }: CheckedConfig,
  failOn: Level,
  { source }: WorldZones,
  { keys, issuer, source: from }: SourceKeys,
): Report {
  const name = config.title === "" ? config.id : `${config.title} (${config.id})`;
  const own = findings.map((one) => {
    return { ...one, subject: { zone: config.zone, config: config.id, ...one.subject } };
  });
  const cases: ReportCase[] = [
    {
      kind: "configuration",
      group: config.zone,
      name: `keys of configuration ${name}`,
      status: statusOf(own, failOn),
      location: source.place(`${config.at}/credentials/keys`),
      diagnostics: place(own, source, config.at),
    },
  ];
  const count = formatCount(keys.length, "key");
  const summary = `${name} against ${issuer ?? from}, ${count}: ${countLevels(cases)}`;
  return { command: "keys", rules: keyChecks, cases, summary, whenEmpty: "There is no configuration." };
}
