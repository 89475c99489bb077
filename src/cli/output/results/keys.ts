/** The result of `edgeproof keys check`: text, JSON, and a report with one case for the configuration. */

import { type KeyFinding, keyChecks } from "../../../import/keys/compare-keys.ts";
import { formatJson } from "../../command.ts";
import type { WorldZones } from "../../input/zone-inputs.ts";
import type { SourceKeys } from "../../network/issuer-keys.ts";
import { formatCount } from "../progress.ts";
import type { Report, ReportRule } from "../report/report.ts";

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
  readonly findings: readonly KeyFinding[];
}

/** Prints the findings for people. */
export function printKeyText(
  { config, findings }: CheckedConfig,
  { file, source }: WorldZones,
  { keys, issuer, source: from }: SourceKeys,
): string {
  const lines = findings.flatMap(({ check, message, pointer }) => {
    const { severity, fix } = keyChecks[check];
    const { line, column } = source.locate(config.at + pointer);
    return [
      `${file}:${line}:${column}: ${severity} ${check} at ${config.at}${pointer}`,
      `  ${message}`,
      `  fix: ${fix}`,
    ];
  });
  const name = config.title === "" ? config.id : `${config.title} (${config.id})`;
  const counts = (["error", "warning"] as const).map((severity) => {
    const count = findings.filter(({ check }) => keyChecks[check].severity === severity).length;
    return formatCount(count, severity);
  });
  const summary = `${name} against ${issuer ?? from}, ${formatCount(keys.length, "key")}: ${counts.join(", ")}`;
  return `${[...lines, summary].join("\n")}\n`;
}

/** Prints the JSON of `keysCheckOutput`. */
export function printKeyJson({ config, findings }: CheckedConfig, { source }: WorldZones): string {
  const list = findings.map((finding) => {
    const pointer = config.at + finding.pointer;
    const { severity, fix } = keyChecks[finding.check];
    return {
      zone: config.zone,
      config: config.id,
      severity,
      ...finding,
      fix,
      pointer,
      ...source.locate(pointer),
    };
  });
  return formatJson(list);
}

const rules: readonly ReportRule[] = Object.entries(keyChecks).map(([id, { severity, description, fix }]) => {
  return { id, description, help: fix, level: severity, tags: ["tokens", "keys"] };
});

/** The report, for code hosts and test results. */
export function keyReport({ config, findings }: CheckedConfig, { file, source }: WorldZones): Report {
  const location = (at: string) => ({ file, pointer: config.at + at, ...source.range(config.at + at) });
  return {
    command: "keys",
    rules,
    cases: [
      {
        group: config.zone,
        name: `keys of configuration ${config.title === "" ? config.id : `${config.title} (${config.id})`}`,
        status: findings.length > 0 ? "failed" : "passed",
        location: location("/credentials/keys"),
        findings: findings.map(({ check, message, pointer }) => {
          return { rule: check, level: keyChecks[check].severity, message, location: location(pointer) };
        }),
      },
    ],
  };
}
