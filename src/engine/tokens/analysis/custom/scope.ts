/** The inputs of the translation of expressions. */

import type { CompiledList } from "../../expression/custom/values/lists.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import type { Claims } from "./claims.ts";
import type { OwnLocations } from "./own-locations.ts";

/** The names that the expressions of a zone refer to, and the locations that those of both zones share. */
export interface TranslationScope {
  readonly lists: ReadonlyMap<string, CompiledList>;
  readonly configs: BoundConfigs;
  readonly own: OwnLocations;
  readonly claims: Claims;
  /** The number of audiences that `any` and `all` are expanded to; undefined when it is too large. */
  readonly audiences: number | undefined;
  /** Receives each part that the analysis does not look into, with the key of its location. */
  readonly onFree: (key: string, text: string, why: string) => void;
}
