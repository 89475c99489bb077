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
}

/** No second letter. */
const none = 0xff;

/** Makes a writer to `text`, the buffer of a filter whose patterns have this alphabet. */
export function createTextWriter(channel: Channel, alphabet: Alphabet, text: Uint8Array): TextWriter {
  const positions = Uint16Array.from({ length: nameCapacity }, (_, i) => i);
  if (channel === "plain") {
    return {
      write(name) {
        // Names are read into the first set's filter, which needs no copy.
        if (name.classes !== text) text.set(name.classes.subarray(0, name.length));
        return positions;
      },
    };
  }
  return channel === "confusables"
    ? createSkeletonWriter(alphabet, text, positions)
    : { write: () => undefined };
}

function createSkeletonWriter(alphabet: Alphabet, text: Uint8Array, positions: Uint16Array): TextWriter {
  const letters = Array.from({ length: 128 }, (_, c) => asciiClasses(c, alphabet));
  const first = Uint8Array.from(letters, ([a = none]) => a);
  const second = Uint8Array.from(letters, ([, b = none]) => b);
  return {
    write({ ascii, length }) {
      if (ascii === undefined) return undefined;
      let at = 0;
      for (let i = 0; i < length; i++) {
        const c = ascii.charCodeAt(i);
        positions[i] = at;
        text[at++] = first[c]!;
        if (second[c] !== none) text[at++] = second[c]!;
      }
      positions[length] = at;
      return positions;
    },
  };
}

/** The classes of the skeleton of an ASCII character: one or two. */
function asciiClasses(c: number, alphabet: Alphabet): readonly number[] {
  const lower = String.fromCharCode(c).toLowerCase().charCodeAt(0);
  return channelTextOf("confusables", [lower]).points.map((point) => classOf(alphabet.idOf(point)));
}
