/** What is odd about a zone's token configurations. */

import { pointer, quote } from "../../../../errors.ts";
import { references } from "../../expression/references.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { placeOf } from "../requests/location.ts";
import { type AnalysisFinding, finding } from "./checks.ts";

/** Everything about the configurations. */
export function configFindings({ configs, rules }: ReadZone): AnalysisFinding[] {
  const asked = new Set(
    rules
      .filter(({ rule }) => rule.enabled)
      .flatMap(({ expression }) => references(expression).map(({ id }) => id)),
  );
  return configs.flatMap((config, i) => [
    ...(asked.has(config.id) ? [] : [unused(config.id, i)]),
    ...config.sources.flatMap((source, j) => {
      const at = { pointer: pointer("configs", i, "token_sources", j) };
      const first = config.sources.findIndex((other) => placeOf(other) === placeOf(source));
      const isUpper = source.name === "http.request.headers" && source.key !== source.key.toLowerCase();
      return [
        ...(first < j ? [finding("duplicate-source", at, `${quote(source.text)} was tried before.`)] : []),
        ...(isUpper
          ? [finding("header-case", at, `The header name ${quote(source.key)} has upper-case letters.`)]
          : []),
      ];
    }),
  ]);
}

function unused(id: string, index: number): AnalysisFinding {
  return finding(
    "unused-config",
    { pointer: pointer("configs", index) },
    `No enabled rule asks ${quote(id)}.`,
  );
}
