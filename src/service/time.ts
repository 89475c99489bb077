/** The injected clock, and timestamps in the format of the interface. */

/** Returns the current time in milliseconds since 1970-01-01T00:00:00Z; fractions are kept to the microsecond. */
export type Clock = () => number;

/**
 * RFC 3339, UTC, with microseconds (`observed`).
 *
 * @example formatTimestamp(1699461917236.841) // "2023-11-08T16:45:17.236841Z"
 */
export function formatTimestamp(ms: number): string {
  const micros = Math.floor(ms * 1000 + 0.5);
  const whole = Math.floor(micros / 1000);
  const rest = String(micros - whole * 1000).padStart(3, "0");
  return `${new Date(whole).toISOString().slice(0, -1)}${rest}Z`;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Parses an RFC 3339 timestamp (section 5.6). Leap seconds and dates that do not exist are rejected.
 *
 * @returns milliseconds since 1970, or undefined
 */
export function parseTimestamp(text: string): number | undefined {
  const parts = rfc3339.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", zone = ""] = parts;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Date.parse turns 30 February into a day of March, so the day is compared.
  if (Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(day) || hour === "24") return undefined;
  const offset = offsetMs(zone);
  return offset === undefined ? undefined : ms - offset + Number(`0${fraction}`) * 1000;
}

function offsetMs(zone: string): number | undefined {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
