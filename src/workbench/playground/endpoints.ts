/** Everything that the page of the playground asks its engines for. */
import { loadPatternEngine } from "#pattern-engine";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { analyze } from "../../engine/tokens/analysis/analyze.ts";
import { compareZones } from "../../engine/tokens/analysis/compare-zones.ts";
import { maxSteps } from "../../service/tokens/drafts/check-draft.ts";
import type { DataCall, DataEndpoints } from "../data/data-endpoint.ts";
import type { TokenEdge } from "../data/data-sources.ts";
import { objectBody, stringField } from "../data/fields.ts";
import { requestEndpoints, viewOfComparison } from "../data/request-endpoints.ts";
import type { ComparisonView } from "../messages.ts";
import type { CheckedRules } from "../playground-messages.ts";
import { viewOfZone } from "../requests/zone-view.ts";
import { createExample } from "./example.ts";
import { readRules } from "./read-rules.ts";
import { requireZone, rulesEdge } from "./rules-edge.ts";

/** Steps of a comparison that a person started and can stop. */
const comparisonSteps = 100 * maxSteps;

/** The endpoints of the screen Requests, and those of the playground itself. */
export const playgroundEndpoints: DataEndpoints<TokenEdge> = {
  ...requestEndpoints("world.json"),
  example: { method: "GET", handle: () => createExample() },
  report: { method: "POST", handle: report },
  compare: { method: "POST", handle: compare },
};

/** The problems of the rules, or the findings of their analysis: one type for both. */
async function report({ body }: DataCall<TokenEdge>): Promise<CheckedRules> {
  await loadPatternEngine();
  const text = stringField(objectBody(body), "text");
  const { zone, problems, lineOf, hasCustomRules } = readRules(text);
  const findings = zone ? analyze(zone.input, { maxSteps }) : problems;
  return {
    isReadable: zone !== undefined,
    findings: [...(hasCustomRules ? [customRulesNote] : []), ...findings].map((one) => {
      if (one.pointer === undefined) return one;
      const line = lineOf(zone ? zone.at + one.pointer : one.pointer);
      return { ...one, ...(line !== undefined && { line }) };
    }),
  };
}

const customRulesNote: Diagnostic = {
  rule: "custom-rules",
  level: "warning",
  message: "The world has custom rules (`rulesets`), which this page does not evaluate; the workbench does.",
};

/** The text of `before` against that of `after`. */
async function compare({ body }: DataCall<TokenEdge>): Promise<ComparisonView> {
  const given = objectBody(body);
  const [before, after] = [stringField(given, "before"), stringField(given, "after")];
  const [left, right] = [await requireZone(before), await requireZone(after)];
  const found = compareZones(left.input, right.input, { maxSteps: comparisonSteps, maxDifferences: 1 });
  return viewOfComparison(
    found,
    await viewOfZone(
      rulesEdge(after, () => {}),
      "",
    ),
  );
}
