/** The screens, in the order of the navigation. All but the first are loaded when they are opened. */
import type { FunctionComponent } from "preact";
import { RequestsScreen } from "./requests/requests-screen.tsx";

export interface ScreenEntry {
  /** In the address. */
  readonly id: string;
  /** In the navigation. */
  readonly title: string;
  /** The owner of the data of the screen. */
  readonly scope: "zone" | "account";
  readonly load: () => Promise<FunctionComponent>;
}

export const screens: readonly ScreenEntry[] = [
  { id: "requests", title: "Requests", scope: "zone", load: async () => RequestsScreen },
  {
    id: "applications",
    title: "Applications",
    scope: "zone",
    load: async () => (await import("./apps/apps-screen.tsx")).AppsScreen,
  },
  {
    id: "names",
    title: "Names and logos",
    scope: "account",
    load: async () => (await import("./brand/brand-screen.tsx")).BrandScreen,
  },
  {
    id: "pictures",
    title: "Pictures",
    scope: "account",
    load: async () => (await import("./pictures/pictures-screen.tsx")).PicturesScreen,
  },
];
