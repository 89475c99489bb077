/** Names: patterns and a list on one side, the names that look like them on the other. */
import { useEffect } from "preact/hooks";
import { LinkPanel } from "../link-panel.tsx";
import { LookAlikesPanel } from "./look-alikes-panel.tsx";
import { MatchedPanel } from "./matched-panel.tsx";
import { followNames } from "./names-state.ts";
import { QuestionPanel } from "./question-panel.tsx";

/** The tab. */
export function NamesTab() {
  useEffect(followNames, []);
  return (
    <div class="two-panes">
      <div class="pane">
        <QuestionPanel />
        <LookAlikesPanel />
        <LinkPanel />
      </div>
      <div class="pane">
        <MatchedPanel />
      </div>
    </div>
  );
}
