/** The text of the playground as a world file. */
import { readText } from "./read-text.ts";

/** The world as JSON without comments; undefined for the rules of one zone. */
export function worldText(text: string): string | undefined {
  const source = readText(text);
  const value: unknown = source.ok ? source.value.value : undefined;
  const isWorld = typeof value === "object" && value !== null && "zones" in value;
  return isWorld ? `${JSON.stringify(value, null, 2)}\n` : undefined;
}
