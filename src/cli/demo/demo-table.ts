/** What a section of the demo shows. */
import type { Area } from "../../errors.ts";

export interface DemoTable {
  readonly area: Exclude<Area, "shared">;
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What stands below the table. */
  readonly notes?: readonly string[];
}
