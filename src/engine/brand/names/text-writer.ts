/**
 * Writes names into the text that filters search, in one channel. ASCII names need no list of letters; for others the
 * caller writes the letters itself. The plain channel needs no copy: names are read into it.
 */

import type { Channel } from "../model.ts";
import { type Alphabet, classOf } from "./alphabet.ts";
import { channelTextOf } from "./channel-text.ts";
import { type Name, nameCapacity } from "./name.ts";

export interface TextWriter {
  /** Writes the first letters of a name and returns the position of each in the text; undefined when it cannot. */
  write(name: Name, letters: number): Uint16Array | undefined;
  /** Must be called when something else was written to the text. */
  forget(): void;
}

/** Makes a writer to `memory.channel` of texts whose letters have this alphabet. */
export function createTextWriter(
  channel: Channel,
  alphabet: Alphabet,
  memory: { readonly channel: Uint8Array },
): TextWriter {
  if (channel !== "plain") return createChannelWriter(channel, alphabet, memory);
  const positions = Uint16Array.from({ length: nameCapacity }, (_, i) => i);
  return { write: () => positions, forget: () => {} };
}

/** An entry has the first class in its low bits, the second one above, and the number of both on top. */
const secondShift = 8;
const countShift = 14;
const classMask = 0x3f;

/** Both classes are always written, without a branch; what does not count is overwritten by the next letter. */
function createChannelWriter(
  channel: Channel,
  alphabet: Alphabet,
  memory: { readonly channel: Uint8Array },
): TextWriter {
  const table = Uint16Array.from({ length: 128 }, (_, c) => channelEntry(channel, c, alphabet));
  const positions = new Uint16Array(nameCapacity);
  let written = 0;
  let writtenLetters = 0;
  return {
    write({ ascii, serial }, letters) {
      if (ascii === undefined) return undefined;
      // All searches of a channel share the text.
      if (written === serial && letters <= writtenLetters) return positions;
      written = serial;
      writtenLetters = letters;
      const text = memory.channel;
      let at = 0;
      for (let i = 0; i < letters; i++) {
        const entry = table[ascii.charCodeAt(i)]!;
        positions[i] = at;
        text[at] = entry & classMask;
        text[at + 1] = (entry >>> secondShift) & classMask;
        at += entry >>> countShift;
      }
      positions[letters] = at;
      return positions;
    },
    forget() {
      written = 0;
    },
  };
}

/** The letters of an ASCII character in a channel, at most two, packed. */
function channelEntry(channel: Channel, c: number, alphabet: Alphabet): number {
  const lower = String.fromCharCode(c).toLowerCase().charCodeAt(0);
  const { points } = channelTextOf(channel, [lower]);
  const [first = 0, second = 0] = points.map((point) => classOf(alphabet.idOf(point)));
  return first | (second << secondShift) | (points.length << countShift);
}
