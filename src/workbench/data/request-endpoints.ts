/** The data of the screen Requests. */
import type { JsonObject } from "../../core/json-value.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import { titleOrId } from "../../engine/tokens/name-with-title.ts";
import { counted } from "../../errors.ts";
import type { DraftCheck, RuleDraft } from "../../service/tokens/drafts/check-draft.ts";
import type { CustomRuleDraft } from "../../service/tokens/rulesets/custom-drafts.ts";
import type {
  ComparisonView,
  DraftView,
  EvaluationView,
  PasteResult,
  PlainRequest,
  VerdictView,
  ZoneView,
} from "../messages.ts";
import { printCopies } from "../requests/copies.ts";
import { readPaste } from "../requests/read-paste.ts";
import { viewOfVerdict } from "../requests/verdict-view.ts";
import { viewOfDraftZone, viewOfZone } from "../requests/zone-view.ts";
import { anId, type DataCall, type DataEndpoints, reads } from "./data-endpoint.ts";
import type { TokenEdge } from "./data-sources.ts";
import { draftField } from "./draft-field.ts";
import { indexField, objectBody, requestField, stringField } from "./fields.ts";

type TokenCall = DataCall<TokenEdge>;

/** Maximum size of a pasted text: archives of browsers are large. */
const maxPasteBytes = 64 * 1024 * 1024;

/** @param worldPath path of the world file in texts to copy */
export function requestEndpoints(worldPath: string): DataEndpoints<TokenEdge> {
  return {
    zone: reads({ zone: anId }, ({ edge, query }) => viewOfZone(edge, query.zone)),
    paste: { method: "POST", maxBytes: maxPasteBytes, handle: paste },
    evaluate: { method: "POST", handle: (call) => evaluate(call, worldPath) },
    draft: { method: "POST", handle: checkDraft },
    "rule/save": { method: "POST", handle: saveRule },
    "rule/move": { method: "POST", handle: moveRule },
    "rule/delete": { method: "POST", handle: deleteRule },
  };
}

async function paste({ edge, body }: TokenCall): Promise<PasteResult> {
  const given = objectBody(body);
  const { configs } = await viewOfZone(edge, stringField(given, "zone"));
  const sources = configs.flatMap((config) => config.sources);
  return readPaste(stringField(given, "text"), { request: requestField(given), sources });
}

async function evaluate({ edge, body }: TokenCall, worldPath: string): Promise<EvaluationView> {
  const given = objectBody(body);
  const zone = stringField(given, "zone");
  const request = requestField(given);
  const verdict = await edge.tokens.evaluate(zone, request);
  const unknown = await edge.unknownParts?.(zone, request.url, verdict.operation?.operation_id);
  const view = orUndecided(viewOfVerdict(verdict, request, await viewOfZone(edge, zone)), unknown);
  const nowMs = edge.tokens.drafts.now();
  return {
    verdict: view,
    nowMs,
    copies: printCopies(request, { zone, worldPath, action: view.action, nowMs }),
  };
}

/** A verdict that an unknown part of the rules could change is no verdict, as in `edgeproof eval`. */
function orUndecided(
  { decidedBy, missing, ...view }: VerdictView,
  [unknown, ...others]: readonly string[] = [],
): VerdictView {
  if (unknown === undefined)
    return { ...view, ...(decidedBy !== undefined && { decidedBy }), ...(missing && { missing }) };
  const more = others.length === 0 ? "" : ` (and ${counted(others.length, "other part")})`;
  const because = `Not everything of the rules is known. ${unknown}${more} Without it: ${view.action}.`;
  return { ...view, action: "undecided", because };
}

async function checkDraft({ edge, body }: TokenCall): Promise<DraftView> {
  const given = objectBody(body);
  const zone = stringField(given, "zone");
  const draft = draftField(given);
  const request = Object.hasOwn(given, "request") ? requestField(given) : undefined;
  const check = await edge.tokens.drafts.check(zone, draft, request);
  const { problems, findings, comparison } = check;
  const view = viewOfDraftZone(zone, { input: check.input });
  return {
    problems,
    findings,
    givenFields: view.givenFields,
    ...(comparison && { comparison: viewOfComparison(comparison, view) }),
    ...(check.verdict && request && { verdict: viewOfVerdict(check.verdict, request, view) }),
  };
}

/** A comparison with titles, and its first counterexample. */
export function viewOfComparison(
  comparison: NonNullable<DraftCheck["comparison"]>,
  { configs }: ZoneView,
): ComparisonView {
  if (comparison.result === "equivalent") return { result: "equivalent" };
  if (comparison.result === "undecided") return { result: "undecided", reason: comparison.reason };
  const [{ request, left, right }] = comparison.differences;
  const titleOf = (id: string) => titleOrId(configs.find((config) => config.id === id) ?? { id });
  const tokens = Object.entries({ ...left.tokens, ...right.tokens });
  return {
    result: "different",
    request: plainRequest(request),
    saved: left.action,
    draft: right.action,
    tokens: tokens.map(([id, state]) => ({ title: titleOf(id), state })),
  };
}

/** Bodies of counterexamples are text. */
function plainRequest({
  method,
  url,
  headers,
  ip,
  body,
  challengePassed,
  fields,
}: SimulatedRequest): PlainRequest {
  return {
    method,
    url,
    headers: pairsOf(headers),
    ...(ip !== undefined && { ip }),
    ...(typeof body === "string" && { body }),
    ...(challengePassed !== undefined && { challengePassed }),
    ...(fields !== undefined && { fields }),
  };
}

function pairsOf(headers: unknown): PlainRequest["headers"] {
  if (Array.isArray(headers)) return headers;
  return Object.entries((headers ?? {}) as Record<string, string | readonly string[]>).flatMap(
    ([name, value]) => [value].flat().map((element): [string, string] => [name, element]),
  );
}

async function saveRule({ edge, body }: TokenCall): Promise<ZoneView> {
  const given = objectBody(body);
  const zone = stringField(given, "zone");
  await save(edge, zone, draftField(given));
  return viewOfZone(edge, zone);
}

async function save(edge: TokenEdge, zone: string, draft: RuleDraft | CustomRuleDraft): Promise<void> {
  if ("rulesetId" in draft) return edge.tokens.drafts.saveCustom(zone, draft);
  const { ruleId, ...members } = draft;
  if (ruleId === undefined) await edge.tokens.rules.create(zone, { description: "", ...members });
  else await edge.tokens.rules.edit(zone, ruleId, members);
}

async function moveRule({ edge, body }: TokenCall): Promise<ZoneView> {
  const given = objectBody(body);
  const { zone, rule, ruleset } = ruleFields(given);
  const index = indexField(given, "index");
  if (ruleset === undefined) await edge.tokens.rules.edit(zone, rule, { position: { index } });
  else await edge.tokens.drafts.moveCustom(zone, { rulesetId: ruleset, ruleId: rule }, index);
  return viewOfZone(edge, zone);
}

async function deleteRule({ edge, body }: TokenCall): Promise<ZoneView> {
  const { zone, rule, ruleset } = ruleFields(objectBody(body));
  if (ruleset === undefined) await edge.tokens.rules.delete(zone, rule);
  else await edge.tokens.drafts.deleteCustom(zone, { rulesetId: ruleset, ruleId: rule });
  return viewOfZone(edge, zone);
}

/** A stored rule: with `ruleset` a custom one. */
function ruleFields(body: JsonObject) {
  const ruleset = Object.hasOwn(body, "ruleset") ? stringField(body, "ruleset") : undefined;
  return { zone: stringField(body, "zone"), rule: stringField(body, "rule"), ruleset };
}
