/** The rules of a zone, with the titles that the page shows in place of ids. */
import { customPhase, type Ruleset } from "../../engine/tokens/rulesets/model.ts";
import type { DraftZone } from "../../service/tokens/drafts/drafts.ts";
import type { TokenEdge } from "../data/data-sources.ts";
import type { ConfigView, OperationView, RulesetView, RuleView, ZoneView } from "../messages.ts";
import { readGivenFields } from "./given-fields.ts";

/** Reads a zone. @throws {ApiError} when it does not exist */
export async function viewOfZone(edge: TokenEdge, id: string): Promise<ZoneView> {
  return viewOfDraftZone(id, await edge.tokens.drafts.read(id));
}

/** Maximum numbers in a view (`chosen`): the page lists them all at once. */
const maxShown = { operations: 1_000, rulesOfRuleset: 500 } as const;

/** The view of a zone that was read. */
export function viewOfDraftZone(id: string, { name, input }: DraftZone): ZoneView {
  const rulesets = [
    ...rulesetViews(input.account_rulesets ?? [], "account"),
    ...rulesetViews(input.rulesets ?? [], "zone"),
  ];
  return {
    id,
    name: name ?? id,
    configs: input.configs.map(
      ({ id, title, token_sources: sources }): ConfigView => ({ id, title, sources }),
    ),
    rules: input.rules.map(viewOfRule),
    operations: input.operations?.slice(0, maxShown.operations).map(viewOfOperation) ?? null,
    operationCount: input.operations?.length ?? 0,
    rulesets,
    lists: Object.keys(input.lists ?? {}),
    givenFields: readGivenFields(rulesets),
  };
}

function viewOfRule(rule: DraftZone["input"]["rules"][number]): RuleView {
  const { id, title, action, enabled, expression, selector } = rule;
  const hosts = (selector.include ?? []).flatMap(({ host = [] }) => host);
  const excluded = (selector.exclude ?? []).flatMap(({ operation_ids: ids = [] }) => ids);
  return { id, title, action, enabled, expression, selector: { hosts, excluded } };
}

function viewOfOperation({
  operation_id: id,
  method,
  host,
  endpoint,
}: NonNullable<DraftZone["input"]["operations"]>[number]): OperationView {
  return { id, host, title: `${method} ${host}${endpoint}` };
}

function rulesetViews(rulesets: readonly Ruleset[], owner: RulesetView["owner"]): readonly RulesetView[] {
  return rulesets
    .filter(({ phase }) => phase === customPhase)
    .map(({ id, name, kind, rules = [] }) => ({
      id,
      name: name || id,
      owner,
      isEntry: kind !== "custom",
      ruleCount: rules.length,
      rules: rules
        .slice(0, maxShown.rulesOfRuleset)
        .map(
          ({ id, description = "", action, action_parameters: parameters, enabled = true, expression }) => ({
            id,
            title: description,
            action,
            parameters: parameters === undefined ? "" : JSON.stringify(parameters),
            enabled,
            expression: expression ?? "",
          }),
        ),
    }));
}
