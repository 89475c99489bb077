/** The screens, in the order of the navigation. */
import type { FunctionComponent } from "preact";
import { AppsScreen } from "./apps/apps-screen.tsx";
import { RequestsScreen } from "./requests/requests-screen.tsx";

interface ScreenEntry {
  /** In the address. */
  readonly id: string;
  /** In the navigation. */
  readonly title: string;
  readonly Screen: FunctionComponent;
}

export const screens: readonly ScreenEntry[] = [
  { id: "requests", title: "Requests", Screen: RequestsScreen },
  { id: "applications", title: "Applications", Screen: AppsScreen },
];
