/** The tabs of the playground. */
import type { IconName } from "../../parts/icon.tsx";
import { tabSignal } from "../../tab-storage.ts";
import type { TabId } from "./tab-ids.ts";

/** The tab that is shown. */
export const chosenTab = tabSignal<TabId>("playground-tab", "rules");

/** Name and introduction of each tab. */
export const tabs: Readonly<
  Record<TabId, { readonly title: string; readonly icon: IconName; readonly lead: string }>
> = {
  rules: {
    title: "Rules",
    icon: "requests",
    lead: "Write token validation rules and custom rules, give them a request, and see which rule allows or blocks it, and why.",
  },
  applications: {
    title: "Applications",
    icon: "applications",
    lead: "Write the configuration of a TCP or UDP application, and see what it would be rejected for, where, and its fix.",
  },
  names: {
    title: "Names",
    icon: "names",
    lead: "Write the name of a brand and a list of domains, and see which of them look like it, and how.",
  },
};
