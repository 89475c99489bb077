/** Rules: the rules on one side, request and verdict on the other. */
import { useEffect } from "preact/hooks";
import { DecisionBar } from "../requests/decision-bar.tsx";
import { RequestPanel } from "../requests/request-panel.tsx";
import { followRequest } from "../requests/request-state.ts";
import { CustomRulesPanel } from "../requests/rules/custom-rules-panel.tsx";
import { RulesPanel } from "../requests/rules/rules-panel.tsx";
import { VerdictPanel } from "../requests/verdict-panel.tsx";
import { ComparePanel } from "./compare-panel.tsx";
import { KeysPanel } from "./keys/keys-panel.tsx";
import { LinkPanel } from "./link-panel.tsx";
import { RulesTextPanel } from "./rules-text-panel.tsx";
import { followRules } from "./state.ts";
import { SuitePanel } from "./suite-panel.tsx";

/** The tab. */
export function RulesTab() {
  useEffect(followRequest, []);
  useEffect(followRules, []);
  return (
    <div class="two-panes requests playground">
      <div class="pane">
        <RulesTextPanel />
        <ComparePanel />
        <SuitePanel />
        <KeysPanel />
        <LinkPanel />
      </div>
      <div class="pane">
        <DecisionBar />
        <RequestPanel />
        <VerdictPanel />
        <CustomRulesPanel />
        <RulesPanel />
      </div>
    </div>
  );
}
