/** The verdict in a word, first and largest, with the rule that decided. It stays in view while the page is scrolled. */
import type { VerdictView } from "../../../src/workbench/messages.ts";
import { Icon } from "../parts/icon.tsx";
import { shownVerdict } from "./request-state.ts";

/** The actions in words. */
export const actionWords = {
  allow: "Allowed",
  log: "Logged",
  block: "Blocked",
  challenge: "Challenged",
  undecided: "Undecided",
} as const;

/** The bar. */
export function DecisionBar() {
  const verdict = shownVerdict.value;
  const action = verdict?.action;
  const decider = verdict && deciderOf(verdict);
  return (
    <section class="panel decision" aria-labelledby="verdict-title" aria-live="polite">
      <h2 id="verdict-title" class={action ? `word ${action}` : "word none"}>
        {action && <Icon name={action} />}
        {action ? actionWords[action] : "No verdict yet"}
      </h2>
      {decider && <Decider {...decider} />}
    </section>
  );
}

interface DeciderProps {
  /** In the id of its element. */
  readonly id: string;
  readonly title: string;
}

function deciderOf({ decidedBy: id, rules, custom }: VerdictView): DeciderProps | undefined {
  if (id !== undefined) return { id, title: rules.find((rule) => rule.id === id)?.title || id };
  if (custom?.decider === undefined || custom.action === "allow" || custom.action === "log") return undefined;
  const { ruleset, rule, title } = custom.decider;
  return { id: `${ruleset}/${rule}`, title };
}

function Decider({ id, title }: DeciderProps) {
  return (
    <p class="decided-by">
      <span class="quiet">decided by</span> <strong>{title}</strong>{" "}
      <button type="button" class="plain small" onClick={() => showRule(id)}>
        Show the rule
      </button>
    </p>
  );
}

function showRule(id: string): void {
  const rule = document.getElementById(`rule-${id}`);
  rule?.scrollIntoView({ block: "center" });
  rule?.focus({ preventScroll: true });
}
