/** The parts of a link that belong to the other tabs. Links of earlier versions have none of them. */
import type { NamesQuestion } from "../../../../src/workbench/names-messages.ts";
import { readQuestion } from "../names/question.ts";
import { memberOf, optional, stringsOf } from "./link-members.ts";
import { type TabId, tabIds } from "./tab-ids.ts";

/** The chosen tab, and what the tabs besides the rules have. */
export interface TabsState {
  /** Absent for the rules. */
  readonly tab?: TabId;
  /** Absent when both are empty. */
  readonly application?: { readonly text: string; readonly facts: string };
  /** Absent while no patterns and no names are typed. */
  readonly names?: NamesQuestion;
}

/** Reads the parts of a state. @throws {RangeError} for a member that is not allowed */
export function readTabs(state: unknown): TabsState {
  const application = memberOf(state, "application");
  const names = memberOf(state, "names");
  return {
    ...optional(state, "tab", isTabId, `one of ${tabIds.map((id) => `\`${id}\``).join(", ")}`),
    ...(application !== undefined && { application: stringsOf(application, "text", "facts") }),
    ...(names !== undefined && { names: readQuestion(names) }),
  };
}

function isTabId(value: unknown): value is TabId {
  return tabIds.some((id) => id === value);
}
