/** The rules in order, each with the outcome on its own text. */
import type { RuleVerdict, RuleView } from "../../../src/workbench/messages.ts";
import { showView, view } from "../view-state.ts";
import { DraftEditor } from "./drafts/draft-editor.tsx";
import { ExplainTree } from "./explain-tree.tsx";
import { shownVerdict, zone, zoneError } from "./request-state.ts";
import { RuleText } from "./rule-text.tsx";

/** The panel. */
export function RulesPanel() {
  const verdict = shownVerdict.value;
  const rules = zone.value?.rules ?? [];
  const results = new Map(verdict?.rules.map((rule) => [rule.id, rule]));
  return (
    <section class="panel" aria-labelledby="rules-title">
      <h2 id="rules-title">
        Rules <span class="quiet">in order</span>
      </h2>
      {zoneError.value !== undefined && (
        <p class="note error" role="alert">
          {zoneError.value}
        </p>
      )}
      {zone.value && rules.length === 0 && (
        <p class="quiet">
          The zone has no rules. Create one with <code>POST …/token_validation/rules</code>, or start with a
          world file: <code>edgeproof workbench --world world.json</code>
        </p>
      )}
      <ol class="rules">
        {rules.map((rule) => (
          <Rule
            key={rule.id}
            rule={rule}
            result={results.get(rule.id)}
            isDecider={verdict?.decidedBy === rule.id}
            isKnown={verdict !== undefined}
          />
        ))}
      </ol>
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
  readonly result: RuleVerdict | undefined;
  readonly isDecider: boolean;
  /** Whether there is a verdict. */
  readonly isKnown: boolean;
}

function Rule({ rule, result, isDecider, isKnown }: RuleProps) {
  const isEditing = view.value["rule"] === rule.id;
  const title = rule.title || rule.id;
  const word = result ? resultWords[result.result] : !rule.enabled ? "disabled" : "does not match";
  const tone = result?.result === "fired" ? "bad" : result?.result === "passed" ? "good" : "";
  return (
    <li id={`rule-${rule.id}`} tabIndex={-1} class={isDecider ? "rule decider" : "rule"}>
      <div class="rule-head">
        <h3>{title}</h3>
        <span class={`chip action-${rule.action}`}>{rule.action}</span>
        {isKnown && <span class={`chip ${tone}`}>{word}</span>}
        {isDecider && <span class="chip strong">decided</span>}
        <button
          type="button"
          class="plain edit"
          aria-expanded={isEditing}
          aria-label={`${isEditing ? "Close the editor of" : "Edit"} ${title}`}
          onClick={() => showView({ rule: isEditing ? "" : rule.id })}
        >
          {isEditing ? "Close" : "Edit"}
        </button>
      </div>
      {rule.title !== "" && <p class="id">{rule.id}</p>}
      <RuleText
        expression={rule.expression}
        leaves={result?.expression === rule.expression ? result.leaves : []}
      />
      {result?.value !== undefined && result.expression === rule.expression && <ExplainTree rule={result} />}
      {isEditing && <DraftEditor key={rule.id} rule={rule} />}
    </li>
  );
}
