/** Percent-decoding of bytes in one pass, also when it is repeated (`observed`; broken escapes stay, `chosen`). */

import { toBytes } from "./bytes.ts";

const escapes = /%[0-9A-Fa-f]{2}/g;
const unicodeEscapes = /%(?:u[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})/g;

/** Decodes a string. Option `r` repeats it until nothing changes, `u` also reads `%uHHHH`. */
export function urlDecode(value: string, options = ""): string {
  const readsUnicode = options.includes("u");
  if (options.includes("r")) return decodeRepeatedly(value, readsUnicode);
  return value.replaceAll("+", " ").replace(readsUnicode ? unicodeEscapes : escapes, decodeEscape);
}

function decodeEscape(found: string): string {
  const isUnicode = found[1] === "u";
  const code = Number.parseInt(found.slice(isUnicode ? 2 : 1), 16);
  return isUnicode ? toBytes(String.fromCharCode(code)) : String.fromCharCode(code);
}

const endOfEscape = /%[0-9A-Fa-f]{2}$/;
const endOfUnicodeEscape = /%(?:u[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})$/;

/** An escape never overlaps another one, so decoding each as soon as it is complete has the result of repeated passes. */
function decodeRepeatedly(value: string, readsUnicode: boolean): string {
  const endOf = readsUnicode ? endOfUnicodeEscape : endOfEscape;
  const decoded: string[] = [];
  const pending = [...value].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    decoded.push(next);
    const mayEnd = decoded.at(-3) === "%" || decoded.at(-6) === "%";
    const found = mayEnd ? endOf.exec(decoded.slice(-6).join(""))?.[0] : undefined;
    if (found === undefined) continue;
    decoded.length -= found.length;
    pending.push(...[...decodeEscape(found)].reverse());
  }
  return decoded.join("").replaceAll("+", " ");
}
