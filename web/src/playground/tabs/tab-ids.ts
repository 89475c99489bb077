/** Ids of the tabs, in the order of the navigation; links have them. */
export const tabIds = ["rules", "applications", "names"] as const;

/** The id of a tab. */
export type TabId = (typeof tabIds)[number];
