/** The queries of the account by tag, those for names first. */
import type { ComponentChildren } from "preact";
import { brand, type ChosenQuery, chooseQuery, chosenQuery, keyOf } from "./brand-state.ts";

/** The panel. */
export function QueriesPanel() {
  const { names = [], logos = [] } = brand.value ?? {};
  return (
    <section class="panel" aria-labelledby="queries-title">
      <h1 id="queries-title">Names and logos</h1>
      {names.length > 0 && <h2 class="group">Names</h2>}
      <ul class="choices">
        {names.map(({ id, tag, patterns }) => (
          <Choice key={id} kind="names" id={id}>
            {tag}{" "}
            <span class="detail">
              {patterns
                .map(({ pattern, maxEdits }) => (maxEdits === 0 ? pattern : `${pattern} ±${maxEdits}`))
                .join(", ")}
            </span>
          </Choice>
        ))}
      </ul>
      {logos.length > 0 && <h2 class="group">Logos</h2>}
      <ul class="choices">
        {logos.map(({ id, tag, threshold }) => (
          <Choice key={id} kind="logos" id={id}>
            {tag} <span class="detail">from {threshold.toFixed(2)}</span>
          </Choice>
        ))}
      </ul>
    </section>
  );
}

interface ChoiceProps extends Pick<ChosenQuery, "kind" | "id"> {
  readonly children: ComponentChildren;
}

function Choice({ kind, id, children }: ChoiceProps) {
  const isChosen = chosenQuery.value !== undefined && keyOf(chosenQuery.value) === keyOf({ kind, id });
  return (
    <li>
      <button type="button" class="plain" aria-pressed={isChosen} onClick={() => chooseQuery({ kind, id })}>
        {children}
      </button>
    </li>
  );
}
