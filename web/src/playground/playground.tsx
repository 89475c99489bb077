/** The page of the playground: rules on one side, request and verdict on the other. */
import { useEffect } from "preact/hooks";
import { DecisionBar } from "../requests/decision-bar.tsx";
import { RequestPanel } from "../requests/request-panel.tsx";
import { followRequest } from "../requests/request-state.ts";
import { CustomRulesPanel } from "../requests/rules/custom-rules-panel.tsx";
import { RulesPanel } from "../requests/rules/rules-panel.tsx";
import { VerdictPanel } from "../requests/verdict-panel.tsx";
import { ScopeChoice } from "../scope-choice.tsx";
import { ComparePanel } from "./compare-panel.tsx";
import { LinkPanel } from "./link-panel.tsx";
import { RulesTextPanel } from "./rules-text-panel.tsx";
import { followRules, pageError, readZones } from "./state.ts";

/** The whole page. */
export function Playground() {
  useEffect(followRequest, []);
  useEffect(followRules, []);
  return (
    <>
      <header class="frame-head">
        <p class="brand">
          edgeproof <span>playground</span>
        </p>
        {(readZones.value?.zones.length ?? 0) > 1 && <ScopeChoice scope="zone" />}
      </header>
      <main id="main" tabIndex={-1}>
        <p class="lead">
          Write token validation rules and custom rules, give them a request, and see which rule allows or
          blocks it, and why. Everything is computed on this page; nothing is sent.
        </p>
        {pageError.value !== undefined && (
          <p class="note error page-error" role="alert">
            {pageError.value}
          </p>
        )}
        <div class="two-panes requests">
          <div class="pane">
            <RulesTextPanel />
            <ComparePanel />
            <LinkPanel />
          </div>
          <div class="pane">
            <RequestPanel />
            <DecisionBar />
            <VerdictPanel />
            <CustomRulesPanel />
            <RulesPanel />
          </div>
        </div>
      </main>
    </>
  );
}
