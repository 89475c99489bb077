import { sniffImage } from "edgeproof/images";
import { describe, expect, test } from "vitest";
import { animation, noisy, plain } from "./pictures.ts";

function sniff(bytes: Uint8Array | string): string {
  const found = sniffImage(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return found.kind === "image" ? found.type : found.kind === "rejected" ? found.name : "unknown";
}

/** The file type box of an ISO base media file. */
function fileType(major: string, ...compatible: string[]): string {
  const size = 16 + 4 * compatible.length;
  return `\0\0\0${String.fromCharCode(size)}ftyp${major}\0\0\0\0${compatible.join("")}${"\0".repeat(16)}`;
}

describe("sniffImage", () => {
  test("recognizes every format that sharp writes", async () => {
    const picture = noisy(16, 16);
    expect(sniff(await picture.clone().png().toBuffer())).toBe("png");
    expect(sniff(await picture.clone().jpeg().toBuffer())).toBe("jpeg");
    expect(sniff(await picture.clone().gif().toBuffer())).toBe("gif");
    expect(sniff(await picture.clone().webp().toBuffer())).toBe("webp");
    expect(sniff(await picture.clone().avif().toBuffer())).toBe("avif");
    expect(sniff(await plain(16, 16).tiff().toBuffer())).toBe("TIFF");
    expect(sniff(await animation(2, 8, 8, "webp"))).toBe("webp");
  });

  test.each([
    ["heic", fileType("heic", "mif1", "heic")],
    ["heic", fileType("mif1", "heic")],
    ["HEIF", fileType("mif1", "miaf")],
    ["a HEIC image sequence", fileType("msf1", "hevc")],
    ["a HEIC image sequence", fileType("hevc", "msf1", "heic")],
    ["avif", fileType("avif", "mif1", "miaf")],
    ["avif", fileType("mif1", "avif", "heic")],
    ["an AVIF image sequence", fileType("avis", "msf1")],
    ["heic", fileType("heix", "avif")],
    ["unknown", fileType("isom", "mp42")],
    ["TIFF", "II*\0abcd"],
    ["TIFF", "MM\0*abcd"],
    ["BMP", `BM${"\0".repeat(12)}\x28${"\0".repeat(40)}`],
    ["unknown", `BM means nothing here${"\0".repeat(40)}`],
    ["JPEG XL", "\0\0\0\x0cJXL \r\n\x87\n"],
    ["ICO", "\0\0\x01\0\x01\0"],
    ["PSD", "8BPS\0\x01"],
    ["unknown", ""],
    ["unknown", "GIF88a"],
    ["unknown", "RIFF\0\0\0\0WAVEfmt "],
    ["unknown", "<html><svg></svg></html>"],
    ["unknown", "%PDF-1.7"],
    ["unknown", "junk<svg/>"],
    ["unknown", "\x1f\x8b\x08<svg/>"],
    ["gif", "GIF89a/*<html><script>*/"],
  ])("recognizes %s in %j", (name, bytes) => {
    expect(sniff(bytes)).toBe(name);
  });

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "<svg>",
    "\u00ef\u00bb\u00bf<svg/>",
    '\n <?xml version="1.0"?>\n<!-- <html> -->\n<svg\n/>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a>b" [<!ENTITY a "]>">]><svg/>',
    "<x:svg xmlns:x='a'/>",
  ])("recognizes an SVG in %j", (text) => {
    expect(sniff(text)).toBe("svg");
  });

  test.each([
    "<svgx/>",
    "<!-- <svg/>",
    "<!-- --><html/>",
    "<!DOCTYPE html><html><svg/></html>",
    "<?xml <svg/>",
    '<!DOCTYPE svg [<!ENTITY a "',
  ])("recognizes no image in %j", (text) => {
    expect(sniff(text)).toBe("unknown");
  });

  test.each([
    ["an SVG after a long comment", `<!-- ${"x".repeat(70_000)} -->\n<svg/>`, "svg"],
    ["an SVG after long white space", `${" ".repeat(70_000)}<svg/>`, "svg"],
    ["no image after a long comment", `<!-- ${"x".repeat(70_000)} --><html/>`, "unknown"],
    ["no image after a long comment without an end", `<!-- ${"x".repeat(70_000)} <svg/>`, "unknown"],
  ])("recognizes %s", (_, text, name) => {
    expect(sniff(Buffer.from(text))).toBe(name);
  });

  test("recognizes an SVG in UTF-16 with a byte order mark", () => {
    expect(sniff(Buffer.from("\ufeff<svg/>", "utf16le"))).toBe("svg");
  });

  test("recognizes an SVG in a declared encoding", () => {
    const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?><!-- \xa4 --><svg/>`;
    expect(sniff(Buffer.from(declared("EUC-JP"), "latin1"))).toBe("svg");
    expect(sniff(Buffer.from(declared("UTF-16LE"), "utf16le"))).toBe("svg");
    expect(sniff(Buffer.from(declared("nonsense"), "latin1"))).toBe("svg");
  });

  test("the example of the docstring", () => {
    expect(sniffImage(Buffer.from("GIF89a..."))).toEqual({ kind: "image", type: "gif" });
  });
});
