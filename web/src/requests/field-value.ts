/** Values of the fields of custom rules as texts of inputs. */

/** The text of the empty string: an empty input is no value. */
const emptyText = '""';

/**
 * The value of a text. A text that does not have the type stays a string, so that the server states what is allowed.
 *
 * @param type in the language of custom rules, such as `Int`
 */
export function readFieldValue(text: string, type: string | undefined): unknown {
  if (text === emptyText) return "";
  if (type === "String" || type === "IP") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text for a value. */
export function printFieldValue(value: unknown): string {
  if (value === "") return emptyText;
  return typeof value === "string" ? value : JSON.stringify(value);
}
