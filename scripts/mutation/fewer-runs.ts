/**
 * fast-check with fewer runs a property: a change is noticed by the first runs or by an example, and thousands of changes
 * are tried. A change that only a rare input shows then counts as not noticed.
 */
import fc from "../../node_modules/fast-check/lib/fast-check.js";

export * from "../../node_modules/fast-check/lib/fast-check.js";

const maxRuns = Number(process.env["MUTATION_MAX_RUNS"] ?? 60);

/** `fc.assert` with at most `maxRuns` runs. */
const assert = ((property: Parameters<typeof fc.assert>[0], parameters?: { numRuns?: number }) =>
  fc.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters?.numRuns ?? maxRuns, maxRuns),
  })) as typeof fc.assert;

export { assert };
export default { ...fc, assert };
