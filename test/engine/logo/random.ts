/** Pseudorandom bytes, the same for the same seed (xorshift32). */
export function randomBytes(seed: number, length: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = seed * 2_654_435_761 || 1;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer, 0, length);
}
