/** SHA-256 at once (FIPS 180-4) and HMAC (RFC 2104), where the platform has only an asynchronous one. */
import { concatBytes } from "./bytes.browser.ts";

const blockBytes = 64;

/** The first 32 bits of the fractional part of a root: of the square roots or cube roots of the first primes. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

const primes = Array.from({ length: 310 }, (_, i) => i + 2).filter((n) => {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return true;
});
const roundConstants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initialState = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** SHA-256 (FIPS 180-4): 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Int32Array.from(initialState);
  for (let at = 0; at < padded.length; at += blockBytes) addBlock(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setInt32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
}

/** FIPS 180-4, section 6.2.2. */
function addBlock(state: Int32Array, view: DataView, at: number): void {
  const words = scheduleOf(view, at);
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sums = [rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25), rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)];
    const first = (h + (sums[0] ?? 0) + choice + (roundConstants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const second = ((sums[1] ?? 0) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0) + word) | 0;
}

function scheduleOf(view: DataView, at: number): Int32Array {
  const words = new Int32Array(64);
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [words[i - 15] ?? 0, words[i - 2] ?? 0];
    const first = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const second = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    words[i] = (words[i - 16] ?? 0) + first + (words[i - 7] ?? 0) + second;
  }
  return words;
}

/** HMAC-SHA256 (RFC 2104): 32 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(blockBytes);
  block.set(key.length > blockBytes ? sha256(key) : key);
  const inner = sha256(concatBytes([block.map((byte) => byte ^ 0x36), message]));
  return sha256(concatBytes([block.map((byte) => byte ^ 0x5c), inner]));
}
