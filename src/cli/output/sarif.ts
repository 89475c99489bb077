/** Prints SARIF 2.1.0, the format from which editors and code hosts read the findings of tools. */

import type { TextPosition } from "../../core/json-source.ts";
import { formatJson } from "../command.ts";
import { version } from "../version.ts";

/** A rule that results refer to. */
export interface SarifRule {
  readonly id: string;
  readonly description: string;
  readonly fix: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A finding. */
export interface SarifResult {
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  readonly file: string;
  readonly position: TextPosition;
  /** RFC 6901 pointer into the file. */
  readonly pointer: string;
}

/** Prints a log with one run. */
export function printSarifLog(rules: readonly SarifRule[], results: readonly SarifResult[]): string {
  const driver = { name: "edgeproof", version, rules: rules.map(describeRule) };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, results: results.map((result) => describeResult(rules, result)) }],
  };
  return formatJson(log);
}

function describeRule({ id, description, fix, properties }: SarifRule) {
  const texts = { shortDescription: { text: description }, help: { text: fix } };
  return { id, ...texts, ...(properties && { properties }) };
}

function describeResult(rules: readonly SarifRule[], result: SarifResult) {
  const { rule, level, message, file, position, pointer } = result;
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: position.line, startColumn: position.column },
        },
        logicalLocations: [{ fullyQualifiedName: pointer || "/" }],
      },
    ],
  };
}

/** A URI reference: SARIF allows neither backslashes nor spaces. */
function uriOf(file: string): string {
  return file === "-" ? "stdin" : encodeURI(file.replaceAll("\\", "/"));
}
