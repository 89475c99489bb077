/** The number of columns that a text takes in a terminal or an editor with a fixed-width font. */

/** Characters of two columns: East Asian wide and full-width ones, and emoji. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** Characters without a column of their own: combining marks, joiners, variation selectors. */
const zero = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** The width of a text in columns. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (zero.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}
