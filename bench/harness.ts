/**
 * A small measuring harness: two bodies (or more) in one run, in interleaved rounds, so that a machine that gets
 * slower or faster in between does so for all of them. Rounds are short and many: what else runs on the machine then
 * spoils some of them and not the median. Ratios are medians of the rounds' own ratios. Synchronous bodies are timed by
 * the processor time of this process, which other processes do not lengthen; as soon as one body of a contest is
 * asynchronous, all of it is timed by the clock on the wall.
 */

/** One line of a benchmark's table. */
export interface Row {
  readonly what: string;
  /** Median nanoseconds an operation, ours. */
  readonly ours: number;
  /** Median nanoseconds an operation, the peer's. */
  readonly peer: number;
  /** Speed (peer / ours) when the target is `atLeast` or absent; time (ours / peer) when it is `atMost`. */
  readonly ratio: number;
  readonly target: Target;
}

/** The target of the ratio; `report` has none. */
export type Target = { readonly atLeast: number } | { readonly atMost: number } | "report";

/** Something to measure: called again and again, awaited when it returns a promise. */
export type Body = () => unknown;

export interface Contest {
  readonly what: string;
  readonly ours: Body;
  readonly peer: Body;
  readonly target?: Target;
  /** Operations in one call of `ours` and of `peer`, for bodies that loop inside (default 1). */
  readonly oursOps?: number;
  readonly peerOps?: number;
}

export interface Effort {
  /** Interleaved rounds (default 101). */
  readonly rounds?: number;
  /** Time of one body in one round, in milliseconds (default 5); at least one call, however long it takes. */
  readonly roundMs?: number;
  /**
   * Time after which there are no more rounds, in milliseconds, once there were 11 (default 2,500); processor time for
   * synchronous bodies.
   */
  readonly budgetMs?: number;
  /** Warm-up of each body, in milliseconds (default 150). */
  readonly warmUpMs?: number;
}

const defaults = { rounds: 101, roundMs: 5, budgetMs: 2500, warmUpMs: 150 };

/** Minimum number of rounds, whatever the time. */
const minRounds = 11;

/** Results go here, so that no compiler can drop the work. */
export const sink: { value: unknown } = { value: undefined };

/** Measures one contest. */
export async function measure(contest: Contest, effort: Effort = {}): Promise<Row> {
  const { rounds, roundMs, warmUpMs, budgetMs } = { ...defaults, ...effort };
  const asynchronous = (await isAsync(contest.ours)) || (await isAsync(contest.peer));
  const loop = asynchronous ? loopAsync : loopSync;
  const ours = await prepare(loop, contest.ours, contest.oursOps ?? 1, roundMs, warmUpMs);
  const peer = await prepare(loop, contest.peer, contest.peerOps ?? 1, roundMs, warmUpMs);
  const times: { ours: number; peer: number }[] = [];
  const now = asynchronous ? () => performance.now() : processorMs;
  const end = now() + budgetMs;
  for (let round = 0; round < rounds && (round < minRounds || now() < end); round++) {
    const first = round % 2 === 0 ? await ours() : await peer();
    const second = round % 2 === 0 ? await peer() : await ours();
    times.push(round % 2 === 0 ? { ours: first, peer: second } : { ours: second, peer: first });
  }
  return summarize(contest, times);
}

/** The rows of an area, in the order in which they are measured. */
export type Rows = AsyncGenerator<Row>;

/** Measures several contests, one after the other. */
export async function* measureAll(contests: readonly Contest[], effort: Effort = {}): Rows {
  for (const contest of contests) yield await measure(contest, effort);
}

/** Median nanoseconds an operation of one body alone, for figures that have no peer. */
export async function timeOf(body: Body, effort: Effort = {}): Promise<number> {
  const { rounds, roundMs, warmUpMs, budgetMs } = { ...defaults, ...effort };
  const asynchronous = await isAsync(body);
  const run = await prepare(asynchronous ? loopAsync : loopSync, body, 1, roundMs, warmUpMs);
  const times: number[] = [];
  const now = asynchronous ? () => performance.now() : processorMs;
  const end = now() + budgetMs;
  for (let round = 0; round < rounds && (round < minRounds || now() < end); round++) {
    times.push(await run());
  }
  return median(times);
}

/** Whether a row reached its target; a row without one always does. */
export function meets({ ratio, target }: Row): boolean {
  if (target === "report") return true;
  return "atLeast" in target ? ratio >= target.atLeast : ratio <= target.atMost;
}

const widths = [9, 9, 8, 8, 6];

/** The heads of the columns, or the cells of a row, in columns of fixed widths: a row can be printed before the next is known. */
export function printLine(cells: readonly string[]): string {
  return cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ");
}

/** Heads of the columns. */
export const heads = ["ours", "peer", "ratio", "target", "", "what"];

/** The cells of a row. */
export function cellsOf(row: Row): string[] {
  const { what, ours, peer, ratio, target } = row;
  const result = target === "report" ? "" : meets(row) ? "ok" : "MISSED";
  return [printNs(ours), printNs(peer), ratio.toPrecision(3), printTarget(target), result, what];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Calls a body so many times and gives the nanoseconds that all of it took. */
type Loop = (body: Body, calls: number) => number | Promise<number>;

/** Warms a body up, finds how many calls fill a round, and gives the function that runs one round. */
async function prepare(loop: Loop, body: Body, ops: number, roundMs: number, warmUpMs: number) {
  let calls = 1;
  let spentNs = 0;
  const end = performance.now() + warmUpMs;
  while (performance.now() < end || spentNs < (roundMs * 1e6) / 4) {
    spentNs = await loop(body, calls);
    if (spentNs < (roundMs * 1e6) / 4) calls *= 2;
  }
  const perRound = Math.max(1, Math.round((calls * roundMs * 1e6) / spentNs));
  return async () => (await loop(body, perRound)) / (perRound * ops);
}

/** Processor time of this process, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs work once; the processor time of this process meanwhile, in milliseconds, and the result. */
export async function timed<T>(work: () => T | Promise<T>): Promise<[milliseconds: number, result: T]> {
  const start = processorMs();
  const result = await work();
  return [processorMs() - start, result];
}

async function isAsync(body: Body): Promise<boolean> {
  const result = body();
  const thenable = result instanceof Promise;
  sink.value = await result;
  return thenable;
}

function loopSync(body: Body, calls: number): number {
  const start = process.cpuUsage();
  for (let i = 0; i < calls; i++) sink.value = body();
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1000;
}

async function loopAsync(body: Body, calls: number): Promise<number> {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) sink.value = await body();
  return Number(process.hrtime.bigint() - start);
}

function summarize(contest: Contest, times: readonly { ours: number; peer: number }[]): Row {
  const target = contest.target ?? "report";
  const asTime = target !== "report" && "atMost" in target;
  return {
    what: contest.what,
    ours: median(times.map((t) => t.ours)),
    peer: median(times.map((t) => t.peer)),
    ratio: median(times.map((t) => (asTime ? t.ours / t.peer : t.peer / t.ours))),
    target,
  };
}

function printNs(ns: number): string {
  if (ns < 1e4) return `${ns.toFixed(ns < 100 ? 1 : 0)} ns`;
  return ns < 1e7 ? `${(ns / 1e3).toFixed(1)} us` : `${(ns / 1e6).toFixed(1)} ms`;
}

function printTarget(target: Target): string {
  if (target === "report") return "report";
  return "atLeast" in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
}
