/** A simulator for tests: time stands still until a test moves it, and identifiers can be read and repeat. */
import { createEdge, type Edge, type EdgeOptions } from "../edge.ts";
import type { IdSource } from "../service/ids.ts";

/** A clock that moves only when it is told to. */
export interface TestClock {
  /** Milliseconds since 1970. */
  (): number;
  /** Sets the time, in milliseconds since 1970 or as a date. */
  set(time: number | Date): void;
  /** Moves the time on (or back), in milliseconds. */
  advance(ms: number): void;
}

/** How a test edge is made. */
export interface TestEdgeOptions extends Omit<EdgeOptions, "clock" | "ids"> {
  /** The time at the start. Default 2026-01-01T00:00:00Z. */
  readonly now?: number | Date;
}

/** A simulator with its clock. */
export interface TestEdge extends Edge {
  readonly clock: TestClock;
}

/** The time at the start when none is given. */
export const testNow = Date.UTC(2026, 0, 1);

/**
 * Makes a simulator whose answers are the same in every run: nothing in it depends on real time or chance.
 *
 * @example
 * ```ts
 * const edge = createTestEdge();
 * edge.clock.advance(1_000);
 * new Date(edge.clock()).toISOString(); // => "2026-01-01T00:00:01.000Z"
 * ```
 * @throws {InvalidInputError} when the world is not valid
 */
export function createTestEdge({ now = testNow, ...options }: TestEdgeOptions = {}): TestEdge {
  const clock = createTestClock(now);
  return { ...createEdge({ ...options, clock, ids: countingIds() }), clock };
}

/**
 * Makes a clock that stands still.
 *
 * @example
 * ```ts
 * const clock = createTestClock(0);
 * clock.advance(60_000);
 * clock(); // => 60000
 * ```
 * @throws {RangeError} for a time that is none
 */
export function createTestClock(now: number | Date = testNow): TestClock {
  let time = readTime(now);
  return Object.assign(() => time, {
    set: (to: number | Date) => {
      time = readTime(to);
    },
    advance: (ms: number) => {
      time = readTime(time + ms);
    },
  });
}

/** Width of a number at the end of an identifier. */
const digits = 12;

/**
 * Identifiers that count from 1. For tests only: secrets can be guessed.
 *
 * @example
 * ```ts
 * const ids = countingIds();
 * ids.uuid(); // => "00000000-0000-4000-8000-000000000001"
 * ids.hex(8); // => "00000002"
 * ids.secret(10); // => "secret0003"
 * ```
 */
export function countingIds(): IdSource {
  let count = 0;
  const next = () => String(++count);
  return {
    uuid: () => `00000000-0000-4000-8000-${next().padStart(digits, "0")}`,
    hex: (length) => next().padStart(length, "0").slice(-length),
    secret: (length) => {
      const number = next();
      const word = "secret".slice(0, Math.max(0, length - number.length));
      return (word + number.padStart(length - word.length, "0")).slice(-length);
    },
  };
}

function readTime(time: number | Date): number {
  const ms = typeof time === "number" ? time : time.getTime();
  if (Number.isFinite(ms)) return ms;
  throw new RangeError(`A time is a number of milliseconds since 1970 or a date, but it is ${String(time)}.`);
}
