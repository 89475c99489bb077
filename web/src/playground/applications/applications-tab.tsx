/** Applications: one on one side, with what is known of its account, and its check on the other. */
import { useEffect, useRef } from "preact/hooks";
import { AppResult } from "../../apps/app-result.tsx";
import { AppTextField } from "../../apps/app-text-field.tsx";
import { LinkPanel } from "../link-panel.tsx";
import { application, checker, example, facts, showExample } from "./applications-state.ts";

/** The tab. */
export function ApplicationsTab() {
  useEffect(checker.follow, []);
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div class="two-panes">
      <div class="pane">
        <section class="panel" aria-labelledby="app-title">
          <div class="row">
            <h1 id="app-title">Application</h1>
            <button type="button" class="plain small" onClick={showExample}>
              Show an example
            </button>
          </div>
          <AppTextField text={application} placeholder={example} field={field} />
          <label class="field">
            <span>What is known of the account and its zones, as JSON; may be empty</span>
            <textarea
              rows={6}
              spellcheck={false}
              autocomplete="off"
              placeholder={'{ "plan": "add-on", "prefixes": ["198.51.100.0/24"] }'}
              value={facts.value}
              onInput={(event) => {
                facts.value = event.currentTarget.value;
              }}
            />
          </label>
          {checker.failure.value !== undefined && (
            <p class="note error" role="alert">
              {checker.failure.value}
            </p>
          )}
        </section>
        <LinkPanel />
      </div>
      <div class="pane">
        <AppResult check={checker.shown.value} text={application} field={field} />
      </div>
    </div>
  );
}
