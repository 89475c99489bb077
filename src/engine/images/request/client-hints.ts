/** The options that follow the client: `width=auto` and the quality of slow connections (rules chosen, limits `observed`). */
import type { TransformOptions } from "../transform/options.ts";

/** A header of the request; null or undefined when it has none. */
export type ReadHeader = (name: string) => string | null | undefined;

/** Options without those that follow the client, and the headers that decided. */
export interface FollowedOptions {
  readonly options: TransformOptions;
  readonly vary: readonly string[];
}

const defaultBreakpoints = [320, 768, 960, 1200] as const;
const defaultMobile = 768;
const defaultDesktop = 1200;

/** A connection is slow over this round trip, in milliseconds, and below this rate, in megabits a second. */
const maxRoundTripMs = 150;
const minDownlink = 5;
const slowTypes: readonly string[] = ["slow-2g", "2g", "3g"];

/**
 * Replaces the options that follow the client by what its hints say.
 *
 * @example
 * ```ts
 * followClient({ width: "auto" }, (name) => ({ "sec-ch-viewport-width": "400", "sec-ch-dpr": "2" })[name]).options; // => { width: 960 }
 * ```
 */
export function followClient(given: TransformOptions, header: ReadHeader): FollowedOptions {
  const { width, wbreakpoints, wmobile, wdesktop, "slow-connection-quality": slow, ...options } = given;
  const followed: { -readonly [Name in keyof TransformOptions]: TransformOptions[Name] } = { ...options };
  const vary: string[] = [];
  if (typeof width === "number") followed.width = width;
  if (width === "auto") {
    followed.width = clientWidth(given, header);
    vary.push("sec-ch-viewport-width", "sec-ch-dpr", "user-agent");
  }
  if (slow !== undefined) {
    vary.push("rtt", "save-data", "ect", "downlink");
    if (isSlow(header)) followed.quality = slow;
  }
  return { options: followed, vary };
}

function clientWidth({ wbreakpoints, wmobile, wdesktop }: TransformOptions, header: ReadHeader): number {
  const viewport = numberOf(header("sec-ch-viewport-width"));
  if (viewport === undefined || viewport <= 0)
    return /\bMobi/i.test(header("user-agent") ?? "")
      ? (wmobile ?? defaultMobile)
      : (wdesktop ?? defaultDesktop);
  const wanted = viewport * (numberOf(header("sec-ch-dpr")) ?? 1);
  const widths = wbreakpoints ?? defaultBreakpoints;
  return widths.find((width) => width >= wanted) ?? (widths.at(-1) as number);
}

function isSlow(header: ReadHeader): boolean {
  const downlink = numberOf(header("downlink"));
  return (
    (numberOf(header("rtt")) ?? 0) > maxRoundTripMs ||
    header("save-data")?.trim().toLowerCase() === "on" ||
    slowTypes.includes(header("ect")?.trim().toLowerCase() ?? "") ||
    (downlink !== undefined && downlink < minDownlink)
  );
}

function numberOf(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
