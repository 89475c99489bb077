/** The verdict in a word, first and largest, with the rule that decided. It stays in view while the page is scrolled. */
import type { VerdictView } from "../../../src/workbench/messages.ts";
import { overview, zoneId } from "../overview.ts";
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

const missingWords = { operation: "No operation", rule: "No rule" } as const;

/** The verdict in a word: an action only if something decided on it. */
export function verdictWord({ action, missing }: VerdictView): {
  readonly word: string;
  readonly tone: string;
} {
  if (missing !== undefined) return { word: missingWords[missing], tone: "none" };
  return { word: actionWords[action], tone: action };
}

/** The same in a list, in the terms of a test. */
export function VerdictChip({ action, missing }: Pick<VerdictView, "action" | "missing">) {
  if (missing !== undefined) return <span class="chip">no {missing}</span>;
  return <span class={`chip verdict-${action}`}>{action}</span>;
}

/** The bar. */
export function DecisionBar() {
  const verdict = shownVerdict.value;
  const noVerdict = overview.value && zoneId.value === "" ? "No zone" : "No verdict yet";
  const { word, tone } = verdict ? verdictWord(verdict) : { word: noVerdict, tone: "none" };
  const decider = verdict && deciderOf(verdict);
  return (
    <section class="panel decision" aria-labelledby="verdict-title" aria-live="polite">
      <h2 id="verdict-title" class={`word ${tone}`}>
        {verdict && tone === verdict.action && <Icon name={verdict.action} />}
        {word}
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
