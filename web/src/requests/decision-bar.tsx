/** The verdict in a word, first and largest, with the rule that decided. It stays in view while the page is scrolled. */
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
  return (
    <section class="panel decision" aria-labelledby="verdict-title" aria-live="polite">
      <h2 id="verdict-title" class={action ? `word ${action}` : "word none"}>
        {action && <Icon name={action} />}
        {action ? actionWords[action] : "No verdict yet"}
      </h2>
      {verdict?.decidedBy !== undefined && <Decider id={verdict.decidedBy} />}
    </section>
  );
}

function Decider({ id }: { readonly id: string }) {
  const { title } = shownVerdict.value?.rules.find((rule) => rule.id === id) ?? {};
  return (
    <p class="decided-by">
      <span class="quiet">decided by</span> <strong>{title || id}</strong>{" "}
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
