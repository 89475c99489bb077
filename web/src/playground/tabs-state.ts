/** The chosen tab and the state of the tabs besides the rules, as a link has them. */
import { application, facts } from "./applications-state.ts";
import type { TabsState } from "./link-tabs.ts";
import { chosenTab } from "./tabs.ts";

/** What a link holds of them. */
export function currentTabs(): TabsState {
  const app = { text: application.value, facts: facts.value };
  return {
    ...(chosenTab.value !== "rules" && { tab: chosenTab.value }),
    ...((app.text !== "" || app.facts !== "") && { application: app }),
  };
}

/** Shows the state of a link in place of the current one. */
export function applyTabs({ tab = "rules", application: app }: TabsState): void {
  chosenTab.value = tab;
  application.value = app?.text ?? "";
  facts.value = app?.facts ?? "";
}
