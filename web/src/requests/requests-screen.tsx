/** "Why was this blocked?": a request, its verdict, and the rules that led to it. */
import { useEffect } from "preact/hooks";
import { LogPanel } from "../log/log-panel.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { HistoryPanel } from "./history/history-panel.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { followRequest } from "./request-state.ts";
import { CustomRulesPanel } from "./rules/custom-rules-panel.tsx";
import { RulesPanel } from "./rules/rules-panel.tsx";
import { VerdictPanel } from "./verdict-panel.tsx";

/** The screen. */
export function RequestsScreen() {
  useEffect(followRequest, []);
  return (
    <div class="two-panes requests">
      <div class="pane">
        <RequestPanel />
        <HistoryPanel />
        <LogPanel />
      </div>
      <div class="pane">
        <DecisionBar />
        <VerdictPanel />
        <CustomRulesPanel />
        <RulesPanel />
      </div>
    </div>
  );
}
