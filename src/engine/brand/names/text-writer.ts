/**
 * Writes names into the text of a filter, in one channel. Names that need no look-up of the public suffix and no list of
 * letters are written directly: all names in the plain channel, ASCII names as skeletons.
 */

import type { Channel } from "../model.ts";
import { type Alphabet, classOf } from "./alphabet.ts";
import { channelTextOf } from "./channel-text.ts";
import { type Name, nameCapacity } from "./name.ts";

export interface TextWriter {
  /** Writes a name and returns the position of each of its letters in the text; undefined when it cannot. */
  write(name: Name): Uint16Array | undefined;
  /** Writes the first letters of a name and returns the length of the text; undefined when it cannot. */
  writeStart(name: Name, letters: number): number | undefined;
}

/** Makes a writer to `memory.channel` of texts whose letters have this alphabet. A name is in the memory already. */
export function createTextWriter(
  channel: Channel,
  alphabet: Alphabet,
  memory: { readonly channel: Uint8Array },
): TextWriter {
  const positions = Uint16Array.from({ length: nameCapacity }, (_, i) => i);
  if (channel === "plain") return { write: () => positions, writeStart: (_, letters) => letters };
  if (channel === "confusables") return createSkeletonWriter(alphabet, memory, positions);
  return { write: () => undefined, writeStart: () => undefined };
}

/** Position of the second class in an entry, and the bit that says that there is one. */
const secondShift = 8;
const hasSecondShift = 15;
const classMask = 0x3f;

/** Both classes are always written, without a branch; the second is overwritten by the next letter unless it counts. */
function createSkeletonWriter(
  alphabet: Alphabet,
  memory: { readonly channel: Uint8Array },
  positions: Uint16Array,
): TextWriter {
  const table = Uint16Array.from({ length: 128 }, (_, c) => skeletonEntry(c, alphabet));
  return {
    write({ ascii, length }) {
      if (ascii === undefined) return undefined;
      const text = memory.channel;
      let at = 0;
      for (let i = 0; i < length; i++) {
        const entry = table[ascii.charCodeAt(i)]!;
        positions[i] = at;
        text[at] = entry;
        text[at + 1] = (entry >>> secondShift) & classMask;
        at += 1 + (entry >>> hasSecondShift);
      }
      positions[length] = at;
      return positions;
    },
    writeStart({ ascii }, letters) {
      if (ascii === undefined) return undefined;
      const text = memory.channel;
      let at = 0;
      for (let i = 0; i < letters; i++) {
        const entry = table[ascii.charCodeAt(i)]!;
        text[at] = entry;
        text[at + 1] = (entry >>> secondShift) & classMask;
        at += 1 + (entry >>> hasSecondShift);
      }
      return at;
    },
  };
}

/** The one or two classes of the skeleton of an ASCII character, packed. */
function skeletonEntry(c: number, alphabet: Alphabet): number {
  const lower = String.fromCharCode(c).toLowerCase().charCodeAt(0);
  const points = channelTextOf("confusables", [lower]).points;
  const [first = 0, second] = points.map((point) => classOf(alphabet.idOf(point)));
  return second === undefined ? first : first | (second << secondShift) | (1 << hasSecondShift);
}
