/** Days of acceptances, in UTC. */

/** Whether a text is a day that exists, such as `2026-12-31`. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The day of a time in milliseconds since 1970. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
