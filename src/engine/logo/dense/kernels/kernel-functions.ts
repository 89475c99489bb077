/** The functions of the kernels of dense detection, and the memory that they work on. */

/** Functions on a linear memory; numbers are byte addresses, counts and strides. `assembly/dense.ts` describes each. */
export interface DenseKernels {
  split(from: number, count: number, red: number, green: number, blue: number): number;
  halveRow(upper: number, lower: number, count: number, to: number): void;
  fieldRow(
    red: number,
    green: number,
    blue: number,
    stride: number,
    count: number,
    soft: number,
    minSquare: number,
    field: number,
    bins: number,
  ): void;
  unionRows(bins: number, stride: number, count: number, near: number, to: number): void;
  respondRow(row: number, count: number, to: number, binBytes: number, phaseBytes: number): void;
  respondRowNear(row: number, count: number, to: number, binBytes: number, phaseBytes: number): void;
  sumGroups(
    groups: number,
    groupCount: number,
    templates: number,
    templateCount: number,
    templateBytes: number,
    keep: number,
  ): void;
  cosineSums(
    points: number,
    count: number,
    field: number,
    stride: number,
    width: number,
    height: number,
    padding: number,
    left: number,
    top: number,
    across: number,
    down: number,
    to: number,
  ): void;
  correlate(points: number, count: number, at: number, rowBytes: number, energy: number, to: number): void;
}

/** A linear memory. */
export interface DenseMemory {
  readonly buffer: ArrayBuffer;
}
