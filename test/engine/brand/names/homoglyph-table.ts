/**
 * Look-alikes by replaced letters, with the replacements that dnstwist's homoglyph fuzzer uses (its glyph tables of 2024;
 * the generator is this project's own). Many of the ASCII ones, such as b for d, are in no skeleton.
 */

const ascii: Readonly<Record<string, string>> = {
  0: "o",
  1: "l i",
  3: "8",
  6: "9",
  8: "3",
  9: "6",
  b: "d lb",
  c: "e",
  d: "b cl dl",
  e: "c",
  g: "q",
  h: "lh",
  i: "1 l",
  k: "lc",
  l: "1 i",
  m: "n nn rn rr",
  n: "m r",
  o: "0",
  q: "g",
  u: "v",
  v: "u",
  w: "vv",
  rn: "m",
  cl: "d",
};

const unicode: Readonly<Record<string, string>> = {
  2: "ƻ",
  5: "ƽ",
  a: "ạ ă ȧ ɑ å ą â ǎ á ə ä ã ā à",
  b: "ḃ ḅ ƅ ʙ ḇ ɓ",
  c: "č ᴄ ċ ç ć ĉ ƈ",
  d: "ď ḍ ḋ ɖ ḏ ɗ ḓ ḑ đ",
  e: "ê ẹ ę è ḛ ě ɇ ė ĕ é ë ē ȩ",
  f: "ḟ ƒ",
  g: "ǧ ġ ǵ ğ ɡ ǥ ĝ ģ ɢ",
  h: "ȟ ḫ ḩ ḣ ɦ ḥ ḧ ħ ẖ ⱨ ĥ",
  i: "ɩ ǐ í ɪ ỉ ȋ ɨ ï ī ĩ ị î ı ĭ į ì",
  j: "ǰ ĵ ʝ ɉ",
  k: "ĸ ǩ ⱪ ḵ ķ ᴋ ḳ",
  l: "ĺ ł ɫ ļ ľ",
  m: "ᴍ ṁ ḿ ṃ ɱ",
  n: "ņ ǹ ń ň ṅ ṉ ṇ ꞑ ñ ŋ",
  o: "ö ó ȯ ỏ ô ᴏ ō ò ŏ ơ ő õ ọ ø",
  p: "ṗ ƿ ƥ ṕ",
  q: "ʠ",
  r: "ʀ ȓ ɍ ɾ ř ṛ ɽ ȑ ṙ ŗ ŕ ɼ ṟ",
  s: "ṡ ș ŝ ꜱ ʂ š ś ṣ ş",
  t: "ť ƫ ţ ṭ ṫ ț ŧ",
  u: "ᴜ ų ŭ ū ű ǔ ȕ ư ù ů ʉ ú ȗ ü û ũ ụ",
  v: "ᶌ ṿ ᵛ ⱴ ṽ ᴠ",
  w: "ᴡ ẇ ẅ ẃ ẘ ẉ ⱳ ŵ ẁ",
  x: "ẋ ẍ",
  y: "ŷ ÿ ʏ ẏ ɏ ƴ ȳ ý ỵ",
  z: "ž ƶ ẓ ẕ ⱬ ᶎ ż ź ʐ",
};

type Glyphs = ReadonlyMap<string, readonly string[]>;

function glyphsOf(...tables: readonly Readonly<Record<string, string>>[]): Glyphs {
  const letters = new Set(tables.flatMap((table) => Object.keys(table)));
  return new Map([...letters].map((key) => [key, tables.flatMap((table) => table[key]?.split(" ") ?? [])]));
}

/** All replacements, and those by letters outside of ASCII with the ASCII ones that skeletons have, too. */
export const glyphSets = {
  all: glyphsOf(ascii, unicode),
  accepted: glyphsOf(unicode, {
    0: "o",
    1: "l",
    d: "cl",
    g: "q",
    l: "1",
    m: "rn",
    o: "0",
    q: "g",
    u: "v",
    v: "u",
    w: "vv",
    rn: "m",
    cl: "d",
  }),
};

/** The labels with one sequence of letters replaced by a glyph. */
function substitutions(label: string, glyphs: Glyphs): string[] {
  const made: string[] = [];
  for (let at = 0; at < label.length; at++) {
    for (const size of [1, 2]) {
      const letters = label.slice(at, at + size);
      if (letters.length < size) continue;
      for (const glyph of glyphs.get(letters) ?? [])
        made.push(label.slice(0, at) + glyph + label.slice(at + size));
    }
  }
  return made;
}

/** The labels with one or two substitutions, each once. */
export function homoglyphsOf(label: string, glyphs: Glyphs): Set<string> {
  const first = substitutions(label, glyphs);
  const all = new Set([...first, ...first.flatMap((made) => substitutions(made, glyphs))]);
  all.delete(label);
  return all;
}

/** Names of brands of 5 to 10 letters. */
export const names = [
  "apple",
  "paypal",
  "google",
  "amazon",
  "netflix",
  "discord",
  "dropbox",
  "facebook",
  "microsoft",
  "cloudflare",
];
