/** The messages and pointers of the image engine, as a user reads them. */
import {
  type CodedDiagnostic,
  checkCustomId,
  checkKeyName,
  checkMetadata,
  checkVariantId,
  checkVariantOptions,
  cleanSvg,
  type ImageLimits,
  parseMetadataFields,
  parseMetadataFilters,
  type Result,
  renderBase,
  renderVariant,
  signAddress,
  validateImage,
  verifyAddress,
} from "edgeproof/images";
import { expect, test } from "vitest";
import type { Failure } from "../../../src/core/result.ts";
import { animation, plain, pngOf } from "./pictures.ts";

type Row = readonly [code: number, pointer: string | undefined, message: string];

const toRow = ({ code, pointer, message }: CodedDiagnostic): Row => [code, pointer, message];

function rowsOf(found: CodedDiagnostic | readonly CodedDiagnostic[] | undefined): readonly Row[] {
  return [found ?? []].flat().map(toRow);
}

function problemsOf(result: Result<unknown>): Failure["problems"] | readonly [] {
  return result.ok ? [] : result.problems;
}

const key = "0123456789abcdef";
const forms = {
  "two JSON texts": [
    ["metadata", "{}"],
    ["metadata", "{}"],
  ],
  "no JSON": [["metadata", "{a"]],
  "unbalanced brackets": [["metadata[a", "1"]],
  "one path twice": [
    ["metadata[a]", "1"],
    ["metadata[a]", "2"],
  ],
  "a long text": [["metadata", `"${"x".repeat(9_000)}"`]],
  "a number beyond a double": [["metadata", "1e400"]],
} as const;

test.each<[string, readonly Row[], Row]>([
  [
    "an empty id",
    rowsOf(checkCustomId("")),
    [5411, "/id", "The custom `id` `` must have 1 to 1024 characters."],
  ],
  [
    "an id with a line break",
    rowsOf(checkCustomId("a\nb")),
    [5411, "/id", "The custom `id` `a\\nb` must not contain control characters or lone surrogates."],
  ],
  [
    "an id with a slash at its end",
    rowsOf(checkCustomId("a/")),
    [5411, "/id", "The custom `id` `a/` must not begin or end with a slash."],
  ],
  [
    "an id with a dot segment",
    rowsOf(checkCustomId("a/../b")),
    [5411, "/id", "The custom `id` `a/../b` must not have a segment `.` or `..`."],
  ],
  [
    "an id below an endpoint",
    rowsOf(checkCustomId("keys/a")),
    [5411, "/id", "The custom `id` `keys/a` must not begin with `keys`, which is an endpoint."],
  ],
  [
    "an id above an endpoint",
    rowsOf(checkCustomId("a/blob")),
    [5411, "/id", "The custom `id` `a/blob` must not end with `blob`, which is an endpoint."],
  ],
  [
    "an id with another extension",
    rowsOf(checkCustomId("page.html")),
    [
      5411,
      "/id",
      "The custom `id` `page.html` must not end in `.html`; only extensions of image files are allowed.",
    ],
  ],
  [
    "a UUID",
    rowsOf(checkCustomId("2b4f5b3e-0d0c-4c55-9d5e-0a4a3a2f8a10", { rejectUuid: true })),
    [5411, "/id", "The custom `id` `2b4f5b3e-0d0c-4c55-9d5e-0a4a3a2f8a10` must not be a UUID."],
  ],
  [
    "an id of a signed image",
    rowsOf(checkCustomId("a", { rejectSigned: true, requireSignedURLs: true }, "/images/0/id")),
    [5411, "/images/0/id", "The custom `id` `a` is not allowed for an image that requires signatures."],
  ],
  [
    "a key name",
    rowsOf(checkKeyName("my key")),
    [
      5400,
      undefined,
      "The name of a signing key must be 1 to 20 letters, digits, `_` or `-`; found `my key`.",
    ],
  ],
  [
    "a variant id",
    rowsOf(checkVariantId(7)),
    [5400, "/id", "The variant `id` must be 1 to 99 letters, digits, `_` or `-`; found `7`."],
  ],
  [
    "options of another type",
    rowsOf(checkVariantOptions([], { complete: true, at: "/options" })),
    [5400, "/options", "The options must be an object; found an empty array."],
  ],
  [
    "an unknown option",
    rowsOf(checkVariantOptions({ width: 1, tint: 5 }, { complete: false })),
    [
      5400,
      "/tint",
      "`tint` is not an option; the options are `fit`, `width`, `height`, `metadata`, `blur`, `browser_ttl`.",
    ],
  ],
  [
    "a missing option",
    rowsOf(checkVariantOptions({ fit: "pad", width: 1, height: 1 }, { complete: true })),
    [5400, "/metadata", "`metadata` must be one of keep, copyright, none; it is missing."],
  ],
  [
    "a fit",
    rowsOf(checkVariantOptions({ fit: "fill", width: 1 }, { complete: false })),
    [5400, "/fit", "`fit` must be one of scale-down, contain, cover, crop, pad; found `fill`."],
  ],
  [
    "a width",
    rowsOf(checkVariantOptions({ width: 1.5 }, { complete: false })),
    [5400, "/width", "`width` must be an integer from 1 to 12000; found `1.5`."],
  ],
  [
    "options without a side",
    rowsOf(checkVariantOptions({}, { complete: false })),
    [5400, "", "The options must have `width` or `height`; both are missing."],
  ],
  [
    "two metadata fields",
    rowsOf(problemsOf(parseMetadataFields(forms["two JSON texts"]))),
    [5400, "/metadata", "`metadata` must be one JSON text, or members in brackets; found more than one."],
  ],
  [
    "metadata that is not JSON",
    rowsOf(problemsOf(parseMetadataFields(forms["no JSON"]))),
    [5400, "/metadata", "`metadata` must be JSON; found `{a`."],
  ],
  [
    "a metadata field without its bracket",
    rowsOf(problemsOf(parseMetadataFields(forms["unbalanced brackets"]))),
    [5400, "/metadata", "The field `metadata[a` must have the format `metadata[name][name]`."],
  ],
  [
    "a metadata member given twice",
    rowsOf(problemsOf(parseMetadataFields(forms["one path twice"]))),
    [5400, "/metadata", "The field `metadata[a]` does not fit with the other members of `metadata`."],
  ],
  [
    "a long metadata text",
    rowsOf(problemsOf(parseMetadataFields(forms["a long text"]))),
    [5400, "/metadata", "`metadata` must have at most 1024 bytes; found a text of 9002 characters."],
  ],
  [
    "a metadata number beyond a double",
    rowsOf(problemsOf(parseMetadataFields(forms["a number beyond a double"]))),
    [
      5400,
      "/metadata",
      "`metadata` must have numbers from -9007199254740991 to 9007199254740991, which are exact in JSON; send a larger one as a string.",
    ],
  ],
  [
    "large metadata",
    rowsOf(checkMetadata("x".repeat(1_023), "/body/metadata")),
    [5400, "/body/metadata", "`metadata` must have at most 1024 bytes as JSON; found 1025."],
  ],
  [
    "a filter without an operator",
    rowsOf(problemsOf(parseMetadataFilters("meta.a=1"))),
    [5400, undefined, "The filter `meta.a` must have the format `meta.<path>[<operator>]`."],
  ],
  [
    "a filter with another operator",
    rowsOf(problemsOf(parseMetadataFilters("meta.a[ne]=1"))),
    [
      5400,
      undefined,
      "The filter `meta.a[ne]` must have one of the operators eq, eq:string, eq:number, eq:boolean, in, in:string, in:number, gt, gt:number, gte, gte:number, lt, lt:number, lte, lte:number; found `ne`.",
    ],
  ],
  [
    "a filter with an empty name",
    rowsOf(problemsOf(parseMetadataFilters("meta.a..b[eq]=1"))),
    [5400, undefined, "The filter `meta.a..b[eq]` must not have an empty name in its path."],
  ],
  [
    "a filter with a long path",
    rowsOf(problemsOf(parseMetadataFilters("meta.a.b.c.d.e.f[eq]=1"))),
    [5400, undefined, "The filter `meta.a.b.c.d.e.f[eq]` must have a path of at most 5 names; found 6."],
  ],
  [
    "a filter with a long list",
    rowsOf(problemsOf(parseMetadataFilters(`meta.a[in]=${"|".repeat(10)}`))),
    [5400, undefined, "The filter `meta.a[in]` must list at most 10 values; found 11."],
  ],
  [
    "a filter with a word for a number",
    rowsOf(problemsOf(parseMetadataFilters("meta.a[in:number]=1|two"))),
    [5400, undefined, "The filter `meta.a[in:number]` must compare with a number; found `two`."],
  ],
  [
    "a filter with a number for a boolean",
    rowsOf(problemsOf(parseMetadataFilters("meta.a[eq:boolean]=1"))),
    [5400, undefined, "The filter `meta.a[eq:boolean]` must compare with `true` or `false`; found `1`."],
  ],
  [
    "too many filters",
    rowsOf(problemsOf(parseMetadataFilters("meta.a[eq]=1&".repeat(6)))),
    [5400, undefined, "The request must have at most 5 metadata filters; found 6."],
  ],
  [
    "an address without a signature",
    rowsOf(problemsOf(verifyAddress({ pathname: "/h/i/v", query: "" }, [key], 0))),
    [9425, undefined, "The address must have a signature `sig`."],
  ],
  [
    "a malformed signature",
    rowsOf(problemsOf(verifyAddress({ pathname: "/h/i/v", query: "sig=00" }, [key], 0))),
    [9425, undefined, "The signature must be one `sig` of 64 lowercase hexadecimal digits."],
  ],
  [
    "a malformed expiry",
    rowsOf(problemsOf(verifyAddress({ pathname: "/h/i/v", query: `exp=x&sig=${"0".repeat(64)}` }, [key], 0))),
    [9425, undefined, "The expiry must be one `exp` in whole seconds since 1970."],
  ],
  [
    "a wrong signature",
    rowsOf(problemsOf(verifyAddress({ pathname: "/h/i/v", query: `sig=${"0".repeat(64)}` }, [key], 0))),
    [9425, undefined, "The signature `sig` matches none of the account's keys."],
  ],
  [
    "an expired signature",
    rowsOf(problemsOf(verifyAddress(requested(signAddress("/h/i/v", key, 7)), [key], 7_000))),
    [9425, undefined, "The address expired at 7 seconds since 1970."],
  ],
])("%s", (_, found, expected) => {
  expect(found).toEqual([expected]);
});

function requested(address: string) {
  const [pathname = "", query = ""] = address.split("?");
  return { pathname, query };
}

const svg = 'xmlns="http://www.w3.org/2000/svg"';

test.each<[string, string | Uint8Array, Partial<ImageLimits>, string]>([
  [
    "in Latin-1",
    Buffer.from("<svg>\xe9</svg>", "latin1"),
    {},
    "The SVG has bytes that are not UTF-8, the encoding without a declaration and a byte order mark.",
  ],
  [
    "in Latin-1 with the byte order mark of UTF-8",
    Buffer.from('\xef\xbb\xbf<?xml version="1.0" encoding="ISO-8859-1"?><svg>\xe9</svg>', "latin1"),
    {},
    "The SVG declares the encoding `ISO-8859-1`, but its byte order mark is that of UTF-8.",
  ],
  [
    "in UTF-16 that declares UTF-8",
    Buffer.from('<?xml version="1.0" encoding="UTF-8"?><svg/>', "utf16le"),
    {},
    "The SVG declares the encoding `UTF-8`, but its bytes are UTF-16LE.",
  ],
  [
    "in one byte a character that declares UTF-16",
    Buffer.from('<?xml version="1.0" encoding="utf-16"?><svg/>'),
    {},
    "The SVG declares the encoding `utf-16`, but its bytes are not UTF-16.",
  ],
  [
    "in an unknown encoding",
    Buffer.from('<?xml version="1.0" encoding="UTF-7"?><svg/>'),
    {},
    "The SVG declares the encoding `UTF-7`; it must be one of the Encoding Standard, such as UTF-8.",
  ],
  [
    "with a character that is cut off",
    Buffer.from('<?xml version="1.0" encoding="Shift_JIS"?><svg/>\x83', "latin1"),
    {},
    "The SVG has bytes that are not SHIFT_JIS.",
  ],
  ["not well-formed", `<svg ${svg}><g></svg>`, {}, "The SVG is not well-formed: unexpected close tag."],
  ["of another root", "<html/>", {}, "The SVG's root must be `svg`; found `html`."],
  ["of many elements", `<svg ${svg}><g/></svg>`, { svgElements: 1 }, "The SVG must have at most 1 element."],
  [
    "of many copies",
    `<svg ${svg}><g id="a"><path/><path/></g><use href="#a"/></svg>`,
    { svgElements: 5 },
    "The SVG must have at most 5 elements, every reference expanded.",
  ],
  [
    "of deep nesting",
    `<svg ${svg}><g/></svg>`,
    { svgDepth: 1 },
    "The SVG must nest elements at most 1 deep.",
  ],
  [
    "with an external entity",
    `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg ${svg}/>`,
    {},
    "The SVG must not declare external, parameter or overlong entities.",
  ],
  [
    "with nested entities",
    `<!DOCTYPE svg [<!ENTITY a "&b;">]><svg ${svg}/>`,
    {},
    "The SVG's entity `a` must not contain markup or entities.",
  ],
  [
    "with long entities",
    `<!DOCTYPE svg [<!ENTITY a "xxxx">]><svg ${svg}>&a;&a;</svg>`,
    { svgEntityCharacters: 7 },
    "The SVG's entities must add at most 7 characters.",
  ],
])("an SVG %s", (_, input, limits, message) => {
  expect(problemsOf(cleanSvg(input, limits)).map(toRow)).toEqual([[9422, undefined, message]]);
});

const png = await plain(60, 40).png().toBuffer();
const gif = await animation(3, 60, 40, "gif");
const tiff = await plain(9, 9).tiff().toBuffer();

test.each<[string, Uint8Array, Partial<ImageLimits>, number, string]>([
  ["an empty file", Buffer.alloc(0), {}, 5400, "The file must be an image; it is empty."],
  ["many bytes", gif, { uploadBytes: 9 }, 5413, `The file must have at most 9 bytes; found ${gif.length}.`],
  [
    "a text",
    Buffer.from("text"),
    {},
    5415,
    "The file must be PNG, JPEG, GIF, WebP, AVIF or SVG; it is not an image.",
  ],
  ["a TIFF", tiff, {}, 5455, "The image must be PNG, JPEG, GIF, WebP, AVIF or SVG; found TIFF."],
  ["a header alone", png.subarray(0, 12), {}, 9422, "The PNG image's header cannot be read."],
  ["many frames", gif, { inputFrames: 2 }, 5443, "The animation must have at most 2 frames; found 3."],
  [
    "many pixels in all frames",
    gif,
    { inputPixels: 7_199 },
    5443,
    "The animation must have at most 7199 pixels in all frames together; found 3 frames of 60 x 40 pixels.",
  ],
  ["many pixels", png, { inputPixels: 9 }, 5413, "The image must have at most 9 pixels; found 60 x 40."],
  [
    "a long side",
    png,
    { inputSide: 59 },
    5413,
    "The image must have at most 59 pixels on each side; found 60 x 40.",
  ],
  ["a cut", png.subarray(0, -5), {}, 9422, "The PNG image is cut off before its end."],
  [
    "undecodable data",
    pngOf(9, 9, Buffer.from("x")),
    {},
    9422,
    expect.stringMatching(/^The PNG image cannot be decoded: .+[^.]\.$/),
  ],
])("an upload with %s", async (_, bytes, limits, code, message) => {
  expect(problemsOf(await validateImage(bytes, limits)).map(toRow)).toEqual([[code, undefined, message]]);
});

test.each<[string, Uint8Array, Partial<ImageLimits>, number, string]>([
  [
    "of a text",
    Buffer.from("text"),
    {},
    9412,
    "The file must be PNG, JPEG, GIF, WebP, AVIF or SVG; it is not an image.",
  ],
  ["of a TIFF", tiff, {}, 9412, "The image must be PNG, JPEG, GIF, WebP, AVIF or SVG; found TIFF."],
  [
    "of many pixels",
    png,
    { inputPixels: 9 },
    9413,
    "An image to transform must have at most 9 pixels; found 2400.",
  ],
  [
    "of many frames",
    gif,
    { inputFrames: 2 },
    9413,
    "An image to transform must have at most 2 frames; found 3.",
  ],
  [
    "into many pixels",
    png,
    { outputPixels: 9 },
    9413,
    "The variant must have at most 9 pixels; found 20 x 13.",
  ],
  [
    "of undecodable data",
    pngOf(9, 9, Buffer.from("x")),
    {},
    9422,
    expect.stringMatching(/^The image cannot be decoded: .+[^.]\.$/),
  ],
])("a rendering %s", async (_, bytes, limits, code, message) => {
  const rendered = await renderVariant(bytes, { width: 20 }, { limits });
  expect(problemsOf(rendered).map(toRow)).toEqual([[code, undefined, message]]);
});

test("a base image of a text", async () => {
  expect(problemsOf(await renderBase(Buffer.from("text"))).map(toRow)).toEqual([
    [9412, undefined, "The file must be PNG, JPEG, GIF, WebP, AVIF, HEIC or SVG; it is not an image."],
  ]);
});
