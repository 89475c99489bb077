/** Damages the bytes and the JSON of an input file, by a random source of its own, so that a seed repeats a run. */

/** A random integer from 0 to below `max`. */
export type Dice = (max: number) => number;

/** mulberry32. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (max) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * max);
  };
}

export function pick<T>(dice: Dice, items: readonly T[]): T {
  return items[dice(items.length)]!;
}

/** Values of other types, of every size, and with everything that output must escape. */
const oddValues: readonly string[] = [
  ...[
    "null",
    "true",
    "-1",
    "0",
    "1e999",
    "1e308",
    "123456789012345678901234567890",
    '""',
    "[]",
    "{}",
    "[[]]",
  ],
  ...[
    '"__proto__"',
    '"\\u0000"',
    '"\\u001b[31mred\\u0007"',
    '"a\\u0085b\\u009bc"',
    '"\\u202egnp.exe\\u2066"',
  ],
  ...[
    '"\\ud800"',
    '"../../.."',
    '"%00"',
    '"https://user:hunter2-hunter2@h/?token=hunter2-hunter2"',
    '"a\\r\\nb"',
  ],
  ...[
    '{"__proto__":{"a":1}}',
    '{"constructor":1}',
    `${"[".repeat(600)}${"]".repeat(600)}`,
    `"${"x".repeat(9_000)}"`,
  ],
  `${'{"a":'.repeat(90)}1${"}".repeat(90)}`,
];

type Damage = (bytes: Buffer, dice: Dice) => Buffer;

const text =
  (change: (text: string, dice: Dice) => string): Damage =>
  (bytes, dice) =>
    Buffer.from(change(bytes.toString("latin1"), dice), "latin1");

const insertions = [
  "\0",
  "\x1b[2J",
  "\u009b31m",
  "\xff",
  '"',
  "{",
  "\n",
  "\r",
  ":",
  "\t",
  "'",
  "- ",
  "<",
  "&",
  "!!",
];

/** Damages of bytes. */
const byteDamages: Readonly<Record<string, Damage>> = {
  nothing: (bytes) => bytes,
  empty: () => Buffer.alloc(0),
  truncated: (bytes, dice) => bytes.subarray(0, dice(bytes.length)),
  flipped: (bytes, dice) => {
    const copy = Buffer.from(bytes);
    for (let i = 0; i <= dice(8); i++) copy[dice(copy.length)] = dice(256);
    return copy;
  },
  removed: text((all, dice) => {
    const at = dice(all.length);
    return all.slice(0, at) + all.slice(at + dice(60));
  }),
  repeated: text((all, dice) => {
    const at = dice(all.length);
    return all.slice(0, at) + all.slice(Math.max(0, at - dice(60)));
  }),
  inserted: text((all, dice) => {
    const at = dice(all.length);
    return all.slice(0, at) + pick(dice, insertions).repeat(1 + dice(3)) + all.slice(at);
  }),
  crlf: text((all) => all.replaceAll("\n", "\r\n")),
  bom: (bytes) => Buffer.concat([Buffer.from("\ufeff"), bytes]),
  utf16le: (bytes) => Buffer.from(`\ufeff${bytes.toString()}`, "utf16le"),
  utf16be: (bytes) => Buffer.from(`\ufeff${bytes.toString()}`, "utf16le").swap16(),
};

/** Replaces, adds, repeats or removes members and elements of a JSON text; other texts get a damage of bytes. */
function damageJson(bytes: Buffer, dice: Dice): Buffer {
  const json = bytes.toString();
  const values = [...json.matchAll(/(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g)];
  if (!/^\s*[[{]/.test(json) || values.length === 0) return byteDamages["flipped"]!(bytes, dice);
  const { index, 0: old } = pick(dice, values);
  const odd = pick(dice, oddValues);
  const name = pick(dice, ["id", "zones", "__proto__", "expression", "url", "name", "a\\u202eb", ""]);
  const isMember = /:\s*$/.test(json.slice(0, index));
  const by = pick(dice, [odd, odd, `[${old}]`, isMember ? `${old},"${name}":${odd}` : `${old},${odd}`]);
  return Buffer.from(json.slice(0, index) + by + json.slice(index + old.length));
}

const damages = [...Object.values(byteDamages), ...Array.from({ length: 12 }, () => damageJson)];

/** The bytes with a random damage, or two. */
export function damaged(bytes: Buffer, dice: Dice): Buffer {
  const once = pick(dice, damages)(bytes, dice);
  return dice(4) === 0 && once.length > 0 ? pick(dice, damages)(once, dice) : once;
}
