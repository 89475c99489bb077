/** The page of the playground: its name, its tabs, and the chosen one. */
import type { FunctionComponent } from "preact";
import { Icon } from "../parts/icon.tsx";
import { ScopeChoice } from "../scope-choice.tsx";
import { ApplicationsTab } from "./applications/applications-tab.tsx";
import { NamesTab } from "./names/names-tab.tsx";
import { RulesTab } from "./rules-tab.tsx";
import { pageError, readZones } from "./state.ts";
import { type TabId, tabIds } from "./tabs/tab-ids.ts";
import { chosenTab, tabs } from "./tabs/tabs.ts";

const contents: Readonly<Record<TabId, FunctionComponent>> = {
  rules: RulesTab,
  applications: ApplicationsTab,
  names: NamesTab,
};

/** The whole page. */
export function Playground() {
  const Content = contents[chosenTab.value] ?? RulesTab;
  return (
    <>
      <header class="frame-head">
        <p class="brand">
          edgeproof <span>playground</span>
        </p>
        <nav aria-label="Tabs">
          {tabIds.map((id) => (
            <button
              key={id}
              type="button"
              aria-current={id === chosenTab.value ? "page" : undefined}
              onClick={() => {
                chosenTab.value = id;
              }}
            >
              <Icon name={tabs[id].icon} />
              {tabs[id].title}
            </button>
          ))}
        </nav>
        {chosenTab.value === "rules" && (readZones.value?.zones.length ?? 0) > 1 && (
          <ScopeChoice scope="zone" />
        )}
      </header>
      <main id="main" tabIndex={-1}>
        <p class="lead">
          {(tabs[chosenTab.value] ?? tabs.rules).lead} Everything is computed on this page; nothing is sent.
        </p>
        {pageError.value !== undefined && (
          <p class="note error page-error" role="alert">
            {pageError.value}
          </p>
        )}
        <Content />
      </main>
    </>
  );
}
