/** The parts of a link that belong to the other tabs. Links of earlier versions have none of them. */
import { memberOf, optional, stringsOf } from "./link-members.ts";
import { type TabId, tabIds } from "./tab-ids.ts";

/** The chosen tab, and what the tabs besides the rules have. */
export interface TabsState {
  /** Absent for the rules. */
  readonly tab?: TabId;
  /** Absent when both are empty. */
  readonly application?: { readonly text: string; readonly facts: string };
}

/** Reads the parts of a state. @throws {RangeError} for a member that is not allowed */
export function readTabs(state: unknown): TabsState {
  const application = memberOf(state, "application");
  return {
    ...optional(state, "tab", isTabId, `one of ${tabIds.map((id) => `\`${id}\``).join(", ")}`),
    ...(application !== undefined && { application: stringsOf(application, "text", "facts") }),
  };
}

function isTabId(value: unknown): value is TabId {
  return tabIds.some((id) => id === value);
}
