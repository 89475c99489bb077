/** Bounds of the responses of a level, which all templates share: groups that they exclude are not summed. */

import type { CellLayout } from "./page-layout.ts";
import type { ActiveGroups, PreparedPage } from "./prepare-page.ts";

/** Rows of cells of one band, and groups of a run. */
export const bandRows = 16;
/** Maximum of groups in a row for which a band has room. */
const maxGroups = 64;
/** Bytes of a run. */
export const runBytes = 16;
/** Maximum bytes of the runs of a band. */
export const bandBytes = maxGroups * runBytes;

/** Sixteen rows of cells that have active groups. */
export interface Band {
  /** The first cell. */
  readonly first: number;
  /** The runs of groups below each other, as the kernel reads them. */
  readonly runs: Int32Array;
}

/** Whether a level has few enough groups in a row. */
export function canBound({ columns }: CellLayout): boolean {
  return columns <= 16 * maxGroups;
}

/** Computes the bounds of the responses of a level. */
export function computeBounds({ kernels, layout }: PreparedPage, cells: CellLayout): void {
  const { at, columns, rows, step, boundsAt, boundColumns } = cells;
  kernels.boundCells(at, columns, rows, step, layout.scratchAt, boundsAt, boundColumns);
}

/** The bands of a level that have active groups. */
export function bandsOf({ columns, rows }: CellLayout, groups: ActiveGroups): readonly Band[] {
  const bands: Band[] = [];
  const perRow = columns / 16;
  for (let i = 0; i < groups.length; ) {
    const top = Math.floor((groups[i] ?? 0) / columns);
    const first = top * columns;
    const active = new Uint16Array(perRow);
    for (; i < groups.length; i++) {
      const group = ((groups[i] ?? 0) - first) / 16;
      const row = Math.floor(group / perRow);
      if (row >= bandRows) break;
      const column = group % perRow;
      active[column] = (active[column] ?? 0) | (1 << row);
    }
    bands.push({ first, runs: runsOf(active, top, rows + bandRows) });
  }
  return bands;
}

/** The runs of the columns that have active groups, filled up with empty ones to a multiple of four. */
function runsOf(active: Uint16Array, top: number, rowBytes: number): Int32Array {
  const columns = [...active.keys()].filter((column) => active[column] !== 0);
  const runs = new Int32Array(Math.ceil(columns.length / 4) * 16);
  for (const [i, column] of columns.entries()) {
    runs.set([column * rowBytes + top, column, active[column] ?? 0], 4 * i);
  }
  return runs;
}
