/** Compares two versions of the rules: equivalent, or a request that they treat differently. */
import { compareZones } from "../../engine/tokens/analysis/compare-zones.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { zoneDefaults } from "../../service/tokens/compile-zone.ts";
import { maxSteps } from "../../service/tokens/drafts/check-draft.ts";
import type { StoredZoneInput } from "../../service/tokens/evaluation.ts";
import { viewOfComparison } from "../data/request-endpoints.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { ComparisonView } from "../messages.ts";
import { viewOfDraftZone } from "../requests/zone-view.ts";
import type { ReadRules } from "./read-rules.ts";
import { loadRules, validZone } from "./rules-edge.ts";

/** Steps of a comparison that a person started and can stop. */
const comparisonSteps = 100 * maxSteps;

/** A zone that a version does not have allows every request, as in `edgeproof diff`. */
const emptyZone: StoredZoneInput = { configs: [], rules: [] };

/**
 * Compares a zone of two texts; versions with one zone each are compared whatever its id is.
 *
 * @throws {RequestFault} when a version cannot be evaluated, neither has the zone, or their profiles differ
 */
export async function compareVersions(before: string, after: string, zone: string): Promise<ComparisonView> {
  const [left, right] = [await loadRules(before), await loadRules(after)];
  if (left.profile !== right.profile)
    throw new RequestFault(
      400,
      `Both versions must have the same \`profile\`; the earlier one has \`${left.profile}\`, and the rules have \`${right.profile}\`.`,
    );
  const isSingle = left.zones.length === 1 && right.zones.length === 1;
  const idIn = ({ zones }: ReadRules) => (isSingle ? (zones[0]?.id ?? zone) : zone);
  const saved = versionOf(left, idIn(left), "The earlier version: ");
  const draft = versionOf(right, idIn(right), "");
  if (saved === undefined && draft === undefined)
    throw new RequestFault(404, `Neither version has the zone \`${zone}\` with rules.`);
  const [unknown] = [left, right].flatMap((side) => couldChange(side.undecided, { zone: idIn(side) }));
  if (unknown)
    return {
      result: "undecided",
      reason: `a version has an undecided part. ${unknown.message.replace(/\.$/, "")}`,
    };
  const { precedence } = zoneDefaults(right.profile);
  const options = { precedence, maxSteps: comparisonSteps, maxDifferences: 1 };
  const [leftInput, rightInput] = [saved ?? emptyZone, draft ?? emptyZone];
  const configs = [...rightInput.configs, ...leftInput.configs];
  return viewOfComparison(
    compareZones(leftInput, rightInput, options),
    viewOfDraftZone(zone, { input: { ...rightInput, configs } }),
  );
}

function versionOf(rules: ReadRules, id: string, name: string): StoredZoneInput | undefined {
  const isMissing = !rules.zones.some((other) => other.id === id);
  if (isMissing && rules.problems.every(({ level }) => level !== "error")) return undefined;
  try {
    return validZone(rules, id).input;
  } catch (error) {
    if (!(error instanceof RequestFault)) throw error;
    throw new RequestFault(error.status, name + error.message);
  }
}
