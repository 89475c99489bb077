/** The screens, in the order of the navigation. All but the first are loaded when they are opened. */
import type { FunctionComponent } from "preact";
import type { IconName } from "./parts/icon.tsx";
import { RequestsScreen } from "./requests/requests-screen.tsx";

export interface ScreenEntry {
  /** In the address. */
  readonly id: string;
  /** In the navigation. */
  readonly title: string;
  /** One line for people who see the screen for the first time. */
  readonly lead: string;
  readonly icon: IconName;
  /** The owner of the data of the screen. */
  readonly scope: "zone" | "account";
  readonly load: () => Promise<FunctionComponent>;
}

export const screens: readonly ScreenEntry[] = [
  {
    id: "requests",
    title: "Requests",
    lead: "Give it a request, and see which rule allows or blocks it, and why. Nothing is sent to the network.",
    icon: "requests",
    scope: "zone",
    load: async () => RequestsScreen,
  },
  {
    id: "applications",
    title: "Applications",
    lead: "Check the configuration of a TCP or UDP application before you deploy it.",
    icon: "applications",
    scope: "zone",
    load: async () => (await import("./apps/apps-screen.tsx")).AppsScreen,
  },
  {
    id: "names",
    title: "Names and logos",
    lead: "See the new domains and the pictures on them that look like your brand.",
    icon: "names",
    scope: "account",
    load: async () => (await import("./brand/brand-screen.tsx")).BrandScreen,
  },
  {
    id: "pictures",
    title: "Pictures",
    lead: "See what clients get of a picture: each variant with its size, format and bytes.",
    icon: "pictures",
    scope: "account",
    load: async () => (await import("./pictures/pictures-screen.tsx")).PicturesScreen,
  },
];
