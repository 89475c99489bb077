/** Everything that the page of the playground asks its engines for. */
import type { DataCall, DataEndpoints } from "../data/data-endpoint.ts";
import { objectBody, stringField } from "../data/fields.ts";
import { requestEndpoints } from "../data/request-endpoints.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { ComparisonView } from "../messages.ts";
import type { RulesMark, RulesZones, SuiteFile } from "../playground-messages.ts";
import { applicationEndpoints } from "./application-endpoints.ts";
import { compareVersions } from "./compare-versions.ts";
import { createExample } from "./example.ts";
import { findingsOf } from "./findings.ts";
import { keyEndpoints } from "./key-endpoints.ts";
import { nameEndpoints } from "./names/name-endpoints.ts";
import { editableFormat } from "./read-text.ts";
import { loadRules, type RulesEdge, requireZone } from "./rules-edge.ts";
import { generateSuite } from "./suite-file.ts";
import { worldText } from "./world-text.ts";

/** The endpoints of the screen Requests, and those of the playground itself. */
export const playgroundEndpoints: DataEndpoints<RulesEdge> = {
  ...requestEndpoints("world.json"),
  ...applicationEndpoints,
  ...keyEndpoints,
  ...nameEndpoints,
  example: { method: "GET", handle: () => createExample() },
  zones: { method: "GET", handle: readZones },
  convert: { method: "GET", handle: convert },
  report: { method: "POST", handle: report },
  compare: { method: "POST", handle: compare },
  suite: { method: "POST", handle: suite },
};

async function readZones({ edge }: DataCall<RulesEdge>): Promise<RulesZones> {
  const { zones, profile, format } = await loadRules(edge.text);
  const isEditable = format === editableFormat || format === "";
  return { zones: zones.map(({ id, name }) => ({ id, name })), profile, format, isEditable };
}

/** The text as a world file in JSON. */
function convert({ edge }: DataCall<RulesEdge>): { readonly text: string } {
  const text = worldText(edge.text);
  if (text !== undefined) return { text };
  throw new RequestFault(400, "The text has no world.");
}

/** The problems of the rules, and the findings about one zone: about the first, unless there is the asked one. */
async function report({ edge, body }: DataCall<RulesEdge>): Promise<readonly RulesMark[]> {
  const asked = stringField(objectBody(body), "zone");
  const rules = await loadRules(edge.text);
  return findingsOf(rules, rules.zones.find(({ id }) => id === asked) ?? rules.zones[0]);
}

function compare({ edge, body }: DataCall<RulesEdge>): Promise<ComparisonView> {
  const given = objectBody(body);
  return compareVersions(stringField(given, "before"), edge.text, stringField(given, "zone"));
}

async function suite({ edge, body }: DataCall<RulesEdge>): Promise<SuiteFile> {
  const given = objectBody(body);
  const zone = await requireZone(edge.text, stringField(given, "zone"));
  const choice = { format: stringField(given, "format"), operations: stringField(given, "operations") };
  return generateSuite(edge.text, zone, choice, edge.onProgress);
}
