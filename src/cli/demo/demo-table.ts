/** A table of the demo. */
import type { Area } from "../../errors.ts";

export interface DemoTable {
  readonly area: Exclude<Area, "shared">;
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Paragraphs below the table. */
  readonly notes?: readonly string[];
}
