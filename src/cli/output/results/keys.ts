/** The keys of a configuration in the report of `check`: one case. */

import type { Diagnostic, Level } from "../../../core/diagnostic.ts";
import { formatCount } from "../../../core/format-count.ts";
import { place } from "../../../core/place.ts";
import type { KeyCheck } from "../../../import/keys/compare-keys.ts";
import type { WorldZones } from "../../input/world-zones.ts";
import type { SourceKeys } from "../../network/issuer-keys.ts";
import { type ReportCase, statusOf } from "../report/report.ts";

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

/** The case of the configuration. @param failOn level from which a diagnostic fails it */
export function keysCase(
  { config, findings }: CheckedConfig,
  failOn: Level,
  { source }: WorldZones,
): ReportCase {
  const own = findings.map((finding) => {
    return { ...finding, subject: { zone: config.zone, config: config.id, ...finding.subject } };
  });
  return {
    kind: "configuration",
    group: config.zone,
    name: `keys of configuration ${nameOf(config)}`,
    status: statusOf(own, failOn),
    failOn,
    location: source.place(`${config.at}/credentials/keys`),
    diagnostics: place(own, source, config.at),
  };
}

/** The compared keys, for people. */
export function describeKeys({ config }: CheckedConfig, { keys, issuer, source }: SourceKeys): string {
  return `${nameOf(config)} against ${issuer ?? source}, ${formatCount(keys.length, "key")}`;
}

function nameOf({ id, title }: ConfigOfWorld): string {
  return title === "" ? id : `${title} (${id})`;
}
