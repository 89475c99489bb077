/** The width of text on a terminal, in columns: East Asian wide characters and emoji take 2, marks and controls 0. */

const zeroWidth = /^[\p{M}\p{Cf}\p{Cc}]$/u;

/**
 * Wide and fullwidth characters (Unicode Standard Annex #11) and emoji that are pictures by default. Ranges are whole
 * blocks: the few narrow characters inside of them count as wide.
 */
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

function characterWidth(character: string): number {
  if (character >= " " && character <= "~") return 1;
  if (zeroWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Columns that a text without line ends takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, cut to a width of at least 3 columns and ended by `...` when it is wider. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return `${startOfWidth(text, width - 3)}...`;
}

/** The same with `...` in the middle, so that the end of the text is kept. */
export function cutMiddleToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const start = startOfWidth(text, Math.ceil((width - 3) / 2));
  const end = startOfWidth(reversed(text), Math.floor((width - 3) / 2));
  return `${start}...${reversed(end)}`;
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

/** The text in lines of a maximum width, broken after its last space, or anywhere in a longer word. */
export function breakToWidth(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  // Only the start is measured, so that the time is linear.
  for (let start = startOfWidth(rest, width); start.length < rest.length && width > 1; ) {
    const space = rest[start.length] === " " ? start.length : start.lastIndexOf(" ");
    const end = space > 0 ? space : start.length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
    start = startOfWidth(rest, width);
  }
  return [...lines, rest];
}

function startOfWidth(text: string, width: number): string {
  let left = width;
  let kept = "";
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

/** The text with spaces up to a width. */
export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
