/** The chosen tab and the state of the tabs besides the rules, as a link has them. */
import { application, facts } from "../applications/applications-state.ts";
import { question } from "../names/names-state.ts";
import { emptyQuestion } from "../names/question.ts";
import type { TabsState } from "./link-tabs.ts";
import { chosenTab } from "./tabs.ts";

/** The state of the tabs in a link. */
export function currentTabs(): TabsState {
  const app = { text: application.value, facts: facts.value };
  return {
    ...(chosenTab.value !== "rules" && { tab: chosenTab.value }),
    ...((app.text !== "" || app.facts !== "") && { application: app }),
    ...((question.value.patterns !== "" || question.value.names !== "") && { names: question.value }),
  };
}

/** Shows the state of a link in place of the current one. */
export function applyTabs({ tab = "rules", application: app, names = emptyQuestion }: TabsState): void {
  chosenTab.value = tab;
  application.value = app?.text ?? "";
  facts.value = app?.facts ?? "";
  question.value = names;
}
