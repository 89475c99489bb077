/** Reads the answers of a bucket: bodies up to a limit, and the two things that matter in XML. */
import { SaxesParser } from "saxes";

/** Reads a body up to a limit; a longer one is returned with one byte more than the limit, and not read further. */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.byteLength;
    if (length > maxBytes) break;
  }
  const bytes = new Uint8Array(Math.min(length, maxBytes + 1));
  let at = 0;
  for (const part of parts) {
    bytes.set(part.subarray(0, bytes.byteLength - at), at);
    at += Math.min(part.byteLength, bytes.byteLength - at);
  }
  return bytes;
}

/** The contents of an XML document. */
export interface XmlSummary {
  /** Name of the root element; undefined for another text. */
  readonly root: string | undefined;
  /** Content of `Error/Code`, when it is a word. */
  readonly code: string | undefined;
}

/** Summarizes an XML document; one that is cut or not well-formed up to its fault. */
export function summarizeXml(bytes: Uint8Array): XmlSummary {
  const path: string[] = [];
  let root: string | undefined;
  let code = "";
  const parser = new SaxesParser({ position: false });
  let isValid = true;
  parser.on("error", () => {
    isValid = false;
  });
  parser.on("opentag", ({ name }) => {
    root ??= isValid ? name : undefined;
    path.push(name);
  });
  parser.on("closetag", () => void path.pop());
  parser.on("text", (text) => {
    if (isValid && path.join("/") === "Error/Code") code += text;
  });
  parser.write(new TextDecoder().decode(bytes)).close();
  return { root, code: /^[A-Za-z.]{1,64}$/.test(code) ? code : undefined };
}
