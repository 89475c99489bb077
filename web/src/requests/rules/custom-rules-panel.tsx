/** The custom rules, which are evaluated before the token rules, in order, each with the outcome on its own text. */
import type { CustomRuleVerdict, CustomRuleView, RulesetView } from "../../../../src/workbench/messages.ts";
import { Icon } from "../../parts/icon.tsx";
import { showView, view } from "../../view-state.ts";
import { LazyDraftEditor } from "../drafts/lazy-draft-editor.tsx";
import { shownVerdict, zone } from "../request-state.ts";
import { ExplainTree } from "./explain-tree.tsx";
import { RuleButtons } from "./rule-buttons.tsx";
import { RuleText } from "./rule-text.tsx";
import { Id } from "./titles.tsx";

/** The panel; nothing without rulesets. */
export function CustomRulesPanel() {
  const rulesets = zone.value?.rulesets ?? [];
  if (rulesets.length === 0) return null;
  const skipped = shownVerdict.value?.custom?.skipped ?? [];
  return (
    <section class="panel" aria-labelledby="custom-title">
      <h2 id="custom-title">
        Custom rules <span class="quiet">before the token rules</span>
      </h2>
      {rulesets.map((ruleset) => (
        <Ruleset key={ruleset.id} ruleset={ruleset} isOnly={rulesets.length === 1} />
      ))}
      {skipped.length > 0 && <p class="quiet">Left out by `skip`: {skipped.join(", ")}</p>}
    </section>
  );
}

function Ruleset({ ruleset, isOnly }: { readonly ruleset: RulesetView; readonly isOnly: boolean }) {
  const { id, name, owner, isEntry, rules, ruleCount } = ruleset;
  const results = new Map(
    shownVerdict.value?.custom?.rules.flatMap((rule) => (rule.ruleset === id ? [[rule.rule, rule]] : [])),
  );
  const added = `${id}/`;
  const isAdding = view.value["rule"] === added;
  return (
    <>
      {!isOnly && (
        <p class="group">
          <strong>{name}</strong> of the {owner}
          {!isEntry && ", when another ruleset executes it"}
        </p>
      )}
      <ol class="rules">
        {rules.map((rule) => (
          <Rule key={rule.id} ruleset={ruleset} rule={rule} result={results.get(rule.id)} />
        ))}
      </ol>
      {ruleCount > rules.length && (
        <p class="quiet">
          The first {rules.length} of {ruleCount} rules.
        </p>
      )}
      {isAdding && <LazyDraftEditor key={added} kind="custom" ruleset={ruleset} />}
      <div class="row">
        <button
          type="button"
          class="plain"
          aria-expanded={isAdding}
          onClick={() => showView({ rule: isAdding ? "" : added })}
        >
          <Icon name="add" /> {isAdding ? "Close the new custom rule" : "Add a custom rule"}
          {!isOnly && <span class="visually-hidden"> to {name}</span>}
        </button>
      </div>
    </>
  );
}

const resultWords = {
  matched: ["matches", "bad"],
  not_matched: ["does not match", ""],
  skipped: ["skipped", ""],
  disabled: ["disabled", ""],
  not_reached: ["not reached", ""],
  undecided: ["unknown", "warn"],
} as const;

interface RuleProps {
  readonly ruleset: RulesetView;
  readonly rule: CustomRuleView;
  readonly result: CustomRuleVerdict | undefined;
}

function Rule({ ruleset, rule, result }: RuleProps) {
  const decider = shownVerdict.value?.custom?.decider;
  const isDecider = decider?.ruleset === ruleset.id && decider.rule === rule.id;
  const key = `${ruleset.id}/${rule.id}`;
  const title = rule.title || rule.id;
  const [word, tone] = result ? resultWords[result.result] : rule.enabled ? ["", ""] : ["disabled", ""];
  return (
    <li id={`rule-${key}`} tabIndex={-1} class={isDecider ? "rule decider" : "rule"}>
      <div class="rule-head">
        <h3>{title}</h3>
        <span class={`chip action-${rule.action}`}>{rule.action}</span>
        {word !== "" && <span class={`chip ${tone}`}>{word}</span>}
        {isDecider && <span class="chip strong">decided</span>}
        <RuleButtons
          id={key}
          title={title}
          rule={rule.id}
          ruleset={ruleset.id}
          order={ruleset.rules.map(({ id }) => id)}
          count={ruleset.ruleCount}
        />
      </div>
      {rule.title !== "" && <Id id={rule.id} />}
      <RuleText expression={rule.expression} leaves={result?.leaves ?? []} />
      {result && <ExplainTree {...result} isDecider={isDecider} />}
      {rule.parameters !== "" && (
        <p class="quiet">
          with <code>{rule.parameters}</code>
        </p>
      )}
      {view.value["rule"] === key && (
        <LazyDraftEditor key={key} kind="custom" ruleset={ruleset} rule={rule} />
      )}
    </li>
  );
}
