/** The token rules in order, each with the outcome on its own text. */

import type { RuleVerdict, RuleView } from "../../../../src/workbench/messages.ts";
import { Icon } from "../../parts/icon.tsx";
import { WorldCommand } from "../../parts/world-command.tsx";
import { showView, view } from "../../view-state.ts";
import { LazyDraftEditor } from "../drafts/lazy-draft-editor.tsx";
import { shownVerdict, zone, zoneError } from "../request-state.ts";
import { ExplainTree } from "./explain-tree.tsx";
import { OrderNote, RuleButtons } from "./rule-buttons.tsx";
import { RuleText } from "./rule-text.tsx";
import { SelectorNote } from "./selector-note.tsx";
import { Id, IdsChoice } from "./titles.tsx";

/** In the address in place of the id of a rule. */
const newRule = "new";

/** The panel. */
export function RulesPanel() {
  const verdict = shownVerdict.value;
  const rules = zone.value?.rules ?? [];
  const results = new Map(verdict?.rules.map((rule) => [rule.id, rule]));
  const isAdding = view.value["rule"] === newRule;
  return (
    <section class="panel" aria-labelledby="rules-title">
      <div class="row apart">
        <h2 id="rules-title">
          Token rules <span class="quiet">in order</span>
        </h2>
        <IdsChoice />
      </div>
      {zoneError.value !== undefined && (
        <p class="note error" role="alert">
          {zoneError.value}
        </p>
      )}
      {zone.value && rules.length === 0 && (
        <p class="quiet">
          The zone has no token rules. Add one below, or start with a world file: <WorldCommand />
        </p>
      )}
      <OrderNote />
      <ol class="rules">
        {rules.map((rule) => (
          <Rule
            key={rule.id}
            rule={rule}
            order={rules.map(({ id }) => id)}
            result={results.get(rule.id)}
            isDecider={verdict?.decidedBy === rule.id}
            isKnown={verdict !== undefined}
          />
        ))}
      </ol>
      {zone.value && isAdding && <LazyDraftEditor key={newRule} kind="token" />}
      {zone.value && (
        <div class="row">
          <button
            type="button"
            class="plain"
            aria-expanded={isAdding}
            onClick={() => showView({ rule: isAdding ? "" : newRule })}
          >
            <Icon name="add" /> {isAdding ? "Close the new rule" : "Add a rule"}
          </button>
        </div>
      )}
    </section>
  );
}

const resultWords = {
  fired: "fired",
  passed: "passed",
  shadowed: "not reached",
  not_reached: "not reached",
  disabled: "disabled",
} as const;

interface RuleProps {
  readonly rule: RuleView;
  /** Ids of all rules. */
  readonly order: readonly string[];
  readonly result: RuleVerdict | undefined;
  readonly isDecider: boolean;
  /** Whether there is a verdict. */
  readonly isKnown: boolean;
}

function Rule({ rule, order, result, isDecider, isKnown }: RuleProps) {
  const isEditing = view.value["rule"] === rule.id;
  const title = rule.title || rule.id;
  const word = result ? resultWords[result.result] : !rule.enabled ? "disabled" : "does not match";
  const tone = result?.result === "fired" ? "bad" : result?.result === "passed" ? "good" : "";
  const isSame = result?.expression === rule.expression;
  return (
    <li id={`rule-${rule.id}`} tabIndex={-1} class={isDecider ? "rule decider" : "rule"}>
      <div class="rule-head">
        <h3>{title}</h3>
        <span class={`chip action-${rule.action}`}>{rule.action}</span>
        {isKnown && <span class={`chip ${tone}`}>{word}</span>}
        {isDecider && <span class="chip strong">decided</span>}
        <RuleButtons id={rule.id} title={title} rule={rule.id} order={order} count={order.length} />
      </div>
      {rule.title !== "" && <Id id={rule.id} />}
      <RuleText expression={rule.expression} leaves={result && isSame ? result.leaves : []} />
      {result && isSame && <ExplainTree {...result} isDecider={isDecider} />}
      {isKnown && !result && <SelectorNote rule={rule} />}
      {isEditing && <LazyDraftEditor key={rule.id} kind="token" rule={rule} />}
    </li>
  );
}
