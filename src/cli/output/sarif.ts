/** SARIF 2.1.0: what editors and code hosts read findings from. */

import type { Place } from "../../core/json-source.ts";
import { asJsonText } from "../command.ts";
import { version } from "../version.ts";

/** A kind of finding. */
export interface SarifRule {
  readonly id: string;
  readonly what: string;
  readonly fix: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** One finding. */
export interface SarifResult {
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  readonly file: string;
  readonly place: Place;
  /** RFC 6901 pointer into the file. */
  readonly pointer: string;
}

export function printSarifLog(rules: readonly SarifRule[], results: readonly SarifResult[]): string {
  const driver = { name: "edgeproof", version, rules: rules.map(describeRule) };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, results: results.map((result) => describeResult(rules, result)) }],
  };
  return asJsonText(log);
}

function describeRule({ id, what, fix, properties }: SarifRule) {
  return { id, shortDescription: { text: what }, help: { text: fix }, ...(properties && { properties }) };
}

function describeResult(rules: readonly SarifRule[], result: SarifResult) {
  const { rule, level, message, file, place, pointer } = result;
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: place.line, startColumn: place.column },
        },
        logicalLocations: [{ fullyQualifiedName: pointer || "/" }],
      },
    ],
  };
}

/** SARIF wants forward slashes and no spaces. */
function uriOf(file: string): string {
  return file === "-" ? "stdin" : encodeURI(file.replaceAll("\\", "/"));
}
