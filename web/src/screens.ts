/** The screens, in the order of the navigation. */
import type { FunctionComponent } from "preact";
import { AppsScreen } from "./apps/apps-screen.tsx";
import { BrandScreen } from "./brand/brand-screen.tsx";
import { PicturesScreen } from "./pictures/pictures-screen.tsx";
import { RequestsScreen } from "./requests/requests-screen.tsx";

interface ScreenEntry {
  /** In the address. */
  readonly id: string;
  /** In the navigation. */
  readonly title: string;
  /** What the screen shows the data of. */
  readonly scope: "zone" | "account";
  readonly Screen: FunctionComponent;
}

export const screens: readonly ScreenEntry[] = [
  { id: "requests", title: "Requests", scope: "zone", Screen: RequestsScreen },
  { id: "applications", title: "Applications", scope: "zone", Screen: AppsScreen },
  { id: "names", title: "Names and logos", scope: "account", Screen: BrandScreen },
  { id: "pictures", title: "Pictures", scope: "account", Screen: PicturesScreen },
];
