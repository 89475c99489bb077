/** A simulator for tests with a manual clock and sequential identifiers. */
import { anyValue, either, instanceOf, type Kind, optionsOf, requireArgument } from "../core/arguments.ts";
import { createEdge, type Edge, type EdgeOptions, edgeMembers } from "../edge.ts";
import { aLength, type IdSource } from "../service/ids.ts";

/** A clock that changes only when a test changes it. */
export interface TestClock {
  /** The time in milliseconds since 1970. */
  (): number;
  /** Sets the time, in milliseconds since 1970 or as a date. */
  set(time: number | Date): void;
  /** Moves the time forward, in milliseconds; a negative number moves it back. */
  advance(ms: number): void;
}

/** Options of a test edge. */
export interface TestEdgeOptions extends Omit<EdgeOptions, "clock" | "ids"> {
  /** The initial time, in milliseconds since 1970 or as a date. Default 2026-01-01T00:00:00Z. */
  readonly now?: number | Date;
}

const { clock: _clock, ids: _ids, ...sharedMembers } = edgeMembers;

const testEdgeOptions = optionsOf<TestEdgeOptions>("createTestEdge", { ...sharedMembers, now: anyValue });

/** A simulator with its clock. */
export interface TestEdge extends Edge {
  /** The clock of the simulator. */
  readonly clock: TestClock;
}

/** The default initial time, in milliseconds since 1970. */
export const testNow = Date.UTC(2026, 0, 1);

/**
 * Creates a simulator whose responses are the same in every run: they do not depend on real time or randomness.
 *
 * @example
 * ```ts
 * const edge = createTestEdge();
 * edge.clock.advance(1_000);
 * new Date(edge.clock()).toISOString(); // => "2026-01-01T00:00:01.000Z"
 * ```
 * @throws {InvalidInputError} when the world is not valid
 */
export function createTestEdge(given: TestEdgeOptions = {}): TestEdge {
  requireArgument("options", given, testEdgeOptions);
  const { now = testNow, ...options } = given;
  const clock = createTestClock(now);
  return { ...createEdge({ ...options, clock, ids: countingIds() }), clock };
}

/** Other numbers are out of range. */
const aTime: Kind = {
  allowed: "a number",
  faultOf: (found) => (typeof found === "number" ? undefined : { path: "", allowed: "a number", found }),
};

/**
 * Creates a clock that changes only when it is set or advanced.
 *
 * @example
 * ```ts
 * const clock = createTestClock(0);
 * clock.advance(60_000);
 * clock(); // => 60000
 * ```
 * @throws {RangeError} when a time is not finite
 */
export function createTestClock(now: number | Date = testNow): TestClock {
  let time = readTime(now);
  return Object.assign(() => time, {
    set: (to: number | Date) => {
      time = readTime(to);
    },
    advance: (ms: number) => {
      requireArgument("ms", ms, aTime);
      time = readTime(time + ms);
    },
  });
}

/** The number of digits at the end of a UUID. */
const uuidDigits = 12;

/**
 * Creates identifiers that count from 1. For tests only: secrets are predictable.
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
    uuid: () => `00000000-0000-4000-8000-${next().padStart(uuidDigits, "0")}`,
    hex: (length) => {
      requireArgument("length", length, aLength);
      return next().padStart(length, "0").slice(-length);
    },
    secret: (length) => {
      requireArgument("length", length, aLength);
      const number = next();
      const word = "secret".slice(0, Math.max(0, length - number.length));
      return (word + number.padStart(length - word.length, "0")).slice(-length);
    },
  };
}

function readTime(time: number | Date): number {
  requireArgument("time", time, either(aTime, instanceOf("a date", Date)));
  const ms = typeof time === "number" ? time : time.getTime();
  if (Number.isFinite(ms)) return ms;
  throw new RangeError(
    `The time must be a finite number of milliseconds since 1970 or a date; found ${String(time)}.`,
  );
}
