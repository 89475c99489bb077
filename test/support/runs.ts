/**
 * How often a random law runs. A law states its full count, which `npm run test:full` uses; `npm test` uses a twentieth of it. The
 * environment variable EDGEPROOF_RUNS is `full`, or a maximum (mutation testing).
 */
const setting = process.env["EDGEPROOF_RUNS"];

/** Whether laws run with their full counts. */
export const isFull = setting === "full";

const share = 20;
const minRuns = 3;

/** The count of this run; `needed` is the minimum of a law that also checks what its runs met. */
export function runs(full: number, needed = minRuns): number {
  if (isFull) return full;
  const wanted = setting === undefined ? Math.ceil(full / share) : Number(setting);
  return Math.min(full, Math.max(wanted, needed));
}

/**
 * The seed of all random laws; undefined for one of its own each. `.ci/run` takes it from the files of the commit: a second
 * check of a commit has the same values, and the next commit has others.
 */
export const seed: number | undefined = process.env["EDGEPROOF_SEED"]
  ? Number(process.env["EDGEPROOF_SEED"])
  : undefined;
