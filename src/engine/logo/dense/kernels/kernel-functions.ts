/** The functions of the kernels of dense detection, and the memory that they work on. */

/** Functions on a linear memory; numbers are byte addresses, counts and strides. `assembly/dense.ts` describes each. */
export interface DenseKernels {
  split(
    from: number,
    width: number,
    rows: number,
    red: number,
    planeBytes: number,
    stride: number,
    colors: number,
  ): number;
  halve(
    red: number,
    planeBytes: number,
    stride: number,
    to: number,
    toPlaneBytes: number,
    toStride: number,
    width: number,
    rows: number,
    colors: number,
    toColors: number,
  ): void;
  fields(
    red: number,
    planeBytes: number,
    stride: number,
    width: number,
    rows: number,
    soft: number,
    minSquare: number,
    field: number,
    bins: number,
    colors: number,
    edges: number,
  ): void;
  respond(
    bins: number,
    stride: number,
    first: number,
    end: number,
    step: number,
    edges: number,
    filled: number,
    row: number,
    to: number,
    planeBytes: number,
    occupied: number,
  ): void;
  sumGroups(
    groups: number,
    groupCount: number,
    templates: number,
    templateCount: number,
    templateBytes: number,
    keep: number,
  ): void;
  boundCells(
    cells: number,
    columns: number,
    rows: number,
    step: number,
    quads: number,
    to: number,
    groups: number,
  ): void;
  sumBounded(
    runs: number,
    runCount: number,
    first: number,
    columns: number,
    masks: number,
    templates: number,
    templateCount: number,
    templateBytes: number,
    keep: number,
  ): void;
  correlate(points: number, count: number, at: number, rowBytes: number, energy: number, to: number): void;
  placeOn(at: number, stride: number, width: number, height: number, padding: number): void;
  fitBox(
    points: number,
    count: number,
    energy: number,
    x: number,
    y: number,
    columns: number,
    rows: number,
    min: number,
    max: number,
    to: number,
  ): void;
  compareField(
    template: number,
    columns: number,
    rows: number,
    side: number,
    x: number,
    y: number,
    across: number,
    down: number,
    to: number,
  ): void;
}

/** A linear memory. */
export interface DenseMemory {
  readonly buffer: ArrayBuffer;
}
