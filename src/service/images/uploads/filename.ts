/** Names of uploaded files: decoded, without folders, of at most 255 characters (observed). */

import type { UploadFile } from "./form.ts";

/** Maximum length of a file name, in characters (code points); longer ones are cut. */
const maxFilenameLength = 255;

/** A file name as it is stored; undefined for an empty one. */
function storedFilename(name: string): string | undefined {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  // A code point has at most two code units.
  const kept = [...last.slice(0, 2 * maxFilenameLength)].slice(0, maxFilenameLength).join("");
  return kept === "" ? undefined : kept;
}

/** The file of a form, with its name as it is stored. */
export function namedFile({ bytes, filename = "" }: UploadFile): UploadFile {
  const stored = filenameOfForm(filename);
  return { bytes, ...(stored !== undefined && { filename: stored }) };
}

/** The name in a form: browsers escape a quote and the ends of lines, and nothing else (HTML, 4.10.21.8). */
function filenameOfForm(name: string): string | undefined {
  const decode = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  return storedFilename(name.replace(/%(22|0D|0A)/gi, decode));
}

/** The last segment of a URL's path, decoded; as it is written where it cannot be decoded. */
export function filenameOfUrl(url: string): string | undefined {
  const segment = URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : "";
  try {
    return storedFilename(decodeURIComponent(segment));
  } catch {
    return storedFilename(segment);
  }
}
