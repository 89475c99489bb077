import { cleanSvg, sniffImage, svgHeaders } from "edgeproof/images";
import { describe, expect, test } from "vitest";

const svg = 'xmlns="http://www.w3.org/2000/svg"';
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

/** The content of a cleaned root element. */
function inside(content: string, attributes = svg): string {
  const cleaned = cleanSvg(`<svg ${attributes}>${content}</svg>`);
  if (!cleaned.ok) return `rejected: ${cleaned.problems[0].message}`;
  return cleaned.value.svg.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "");
}

function clean(text: string | Uint8Array, limits?: Parameters<typeof cleanSvg>[1]): string {
  const cleaned = cleanSvg(text, limits);
  return cleaned.ok ? cleaned.value.svg : `rejected: ${cleaned.problems[0].message}`;
}

describe("cleanSvg keeps", () => {
  test.each([
    ['<path d="M0 0L1,1z" fill="red" stroke-width="1.5"/>'],
    ['<g transform="translate(1 2) rotate(45)" class="a b" id="x:1.y"><rect width="50%" height="1e2"/></g>'],
    [
      '<text x="1" font-family="\'Open Sans\', Arial" xml:space="preserve">a &lt; b &amp; c <tspan>d</tspan></text>',
    ],
    [
      '<linearGradient id="g"><stop offset="0" stop-color="rgba(1,2,3,.5)"/></linearGradient><rect fill="url(#g)"/>',
    ],
    ['<defs><clipPath id="c"><circle r="1"/></clipPath></defs><g clip-path="url(\'#c\')"/>'],
    ['<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g style="filter:url(#f);fill:red"/>'],
    ['<symbol id="s"/><use href="#s"/>'],
    ['<image href="data:image/png;base64,iVBORw0KGgo=" width="1" height="1"/>'],
    ['<circle r="1"><animate attributeName="r" from="1" to="5" dur="1s" repeatCount="indefinite"/></circle>'],
    ["<style>.a{fill:#fff;stroke:red}@media (min-width:1px){.b{fill:blue}}</style>"],
    ["<a><text>link</text></a>"],
  ])("%s", (content) => {
    expect(inside(content)).toBe(content);
  });

  test("references in the XLink namespace, which it declares", () => {
    const text = `<svg ${svg} ${xlink}><use xlink:href="#a"/></svg>`;
    expect(clean(text)).toBe(text);
    expect(clean(`<svg ${svg} xmlns:l="http://www.w3.org/1999/xlink"><use l:href="#a"/></svg>`)).toBe(text);
  });

  test("the effective one of two references", () => {
    const both = `<svg ${svg} ${xlink}><use xlink:href="#a" href="#b"/><use href="#b" xlink:href="#a"/></svg>`;
    expect(clean(both)).toBe(`<svg ${svg}><use href="#b"/><use href="#b"/></svg>`);
    expect(clean(`<svg ${svg} ${xlink}><use xlink:href="#a" href="https://evil.test/"/></svg>`)).toBe(
      `<svg ${svg} ${xlink}><use xlink:href="#a"/></svg>`,
    );
  });

  test("elements with a prefix, and a root without a namespace", () => {
    expect(clean('<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>')).toBe(
      `<svg ${svg}><g/></svg>`,
    );
    expect(clean("<svg width='7'><g/></svg>")).toBe(`<svg ${svg} width="7"><g/></svg>`);
  });

  test("text in UTF-8, in UTF-16 with a byte order mark, and in CDATA", () => {
    const text = `<svg ${svg}><title>Größe 写真</title></svg>`;
    expect(clean(Buffer.from(text))).toBe(text);
    expect(clean(Buffer.from(`\ufeff${text}`))).toBe(text);
    expect(clean(Buffer.from(`\ufeff${text}`, "utf16le"))).toBe(text);
    expect(inside("<text><![CDATA[<script>]]></text>")).toBe("<text>&lt;script&gt;</text>");
  });

  const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
  const latin1 = (text: string) => Buffer.from(text, "latin1");

  test.each<[encoding: string, write: (text: string) => Buffer, written: string, text: string]>([
    ["ISO-8859-1", latin1, "Gr\xf6\xdfe", "Größe"],
    ["windows-1252", latin1, "5 \x80 \x96 \x81", "5 € – \x81"],
    ["US-ASCII", latin1, "\x93", "“"],
    ["ISO-8859-15", latin1, "\xa4", "€"],
    ["koi8-r", latin1, "\xed\xc9\xd2", "Мир"],
    ["Shift_JIS", latin1, "\x8e\xca\x90^", "写真"],
    ["ISO-2022-JP", latin1, "\x1b$B<L??\x1b(B", "写真"],
    ["gb18030", latin1, "\xd5\xd5\xc6\xac", "照片"],
    ["UTF-8", (text) => Buffer.from(text), "Größe 写真", "Größe 写真"],
    ["utf8", (text) => Buffer.from(`\ufeff${text}`), "Größe", "Größe"],
    ["UTF-16", (text) => Buffer.from(`\ufeff${text}`, "utf16le"), "写真", "写真"],
    ["UTF-16", (text) => utf16be(`\ufeff${text}`), "写真", "写真"],
    ["UTF-16BE", utf16be, "写真", "写真"],
    ["utf-16le", (text) => Buffer.from(text, "utf16le"), "写真", "写真"],
  ])(
    "text in the declared encoding %s, written as UTF-8 without a declaration",
    (name, write, written, text) => {
      const declared = `<?xml version="1.0" encoding="${name}"?><svg ${svg}><script>x</script><title>${written}</title></svg>`;
      expect(clean(write(declared))).toBe(`<svg ${svg}><title>${text}</title></svg>`);
    },
  );

  test("a declared encoding in a string, which is already decoded", () => {
    expect(clean(`<?xml version="1.0" encoding="UTF-16"?><svg ${svg}/>`)).toBe(`<svg ${svg}/>`);
  });

  test("entities for namespaces, as old drawing programs write them", () => {
    const text = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd" [
      <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY word 'two'>
    ]><svg xmlns="&ns_svg;"><text>&word; &lt;</text></svg>`;
    expect(clean(text)).toBe(`<svg ${svg}><text>two &lt;</text></svg>`);
  });

  test("an SVG with comments in its document type", () => {
    const remarks = [
      `<!-- it's fine -->`,
      `<!-- a > b ] [ -->`,
      `<!-- "> -->`,
      "<?note it's > ]?>",
      `<!-- <!ENTITY % all "x"> <!ENTITY word "wrong"> -->`,
      `<!-- ' --><!ENTITY other "it's"><!-- ' -->`,
    ];
    for (const remark of remarks) {
      const doctype = `<!DOCTYPE svg [ ${remark} <!ENTITY word "right"> <!-- don't --> ]>`;
      const text = `${doctype}<svg ${svg}><text>&word;</text></svg>`;
      expect(clean(text), remark).toBe(`<svg ${svg}><text>right</text></svg>`);
      expect(sniffImage(Buffer.from(text)), remark).toEqual({ kind: "image", type: "svg" });
    }
  });

  test("a document that declares XML 1.1", () => {
    expect(clean(`<?xml version="1.1"?><svg ${svg}/>`)).toBe(`<svg ${svg}/>`);
  });
});

/** Content that must be removed, each by the name of the attack. */
const attacks: [name: string, content: string, left: string][] = [
  ["script", "<script>alert(1)</script>", ""],
  ["script by reference", '<script href="https://evil.test/x.js"/>', ""],
  ["script in another case", "<SCRIPT>alert(1)</SCRIPT>", ""],
  [
    "script in a namespace with a prefix",
    '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
    "",
  ],
  ["script of XHTML", '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>', ""],
  ["script inside an unknown element", "<x><script>alert(1)</script><g/></x>", ""],
  ["event handler", '<g onload="alert(1)" onclick="alert(1)" onbegin="x"/>', "<g/>"],
  ["event handler in another case", '<g ONLOAD="alert(1)" OnClick="x"/>', "<g/>"],
  ["event handler in a namespace", `<g x:onload="alert(1)" xmlns:x="http://www.w3.org/2000/svg"/>`, "<g/>"],
  [
    "foreignObject",
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe/></body></foreignObject>',
    "",
  ],
  ["iframe, embed, object, audio, video", "<iframe/><embed/><object/><audio/><video/>", ""],
  ["handler element", '<handler type="text/javascript">alert(1)</handler>', ""],
  ["external image", '<image href="https://evil.test/x.png"/>', "<image/>"],
  ["external image without a scheme", '<image href="//evil.test/x.png"/>', "<image/>"],
  ["relative image", '<image href="x.png"/>', "<image/>"],
  ["external use", '<use href="https://evil.test/x.svg#a"/>', "<use/>"],
  ["use of a data address", '<use href="data:image/svg+xml;base64,PHN2Zz4="/>', "<use/>"],
  ["image of SVG data", '<image href="data:image/svg+xml;base64,PHN2Zz4="/>', "<image/>"],
  ["image of HTML data", '<image href="data:text/html,&lt;script>"/>', "<image/>"],
  ["image of unpacked data", '<image href="data:image/png,&lt;script>"/>', "<image/>"],
  ["feImage", '<filter><feImage href="https://evil.test/x"/></filter>', "<filter><feImage/></filter>"],
  ["javascript link", '<a href="javascript:alert(1)"><g/></a>', "<a><g/></a>"],
  ["javascript link with blanks", '<a href=" java&#10;script:alert(1)"><g/></a>', "<a><g/></a>"],
  ["external link", '<a href="https://evil.test/" target="_top"><g/></a>', '<a target="_top"><g/></a>'],
  ["animated reference", '<a><animate attributeName="href" to="javascript:alert(1)"/></a>', "<a/>"],
  ["animated reference in a namespace", '<a><set attributeName="xlink:href" to="javascript:x"/></a>', "<a/>"],
  ["animated handler", '<g><set attributeName="onclick" to="alert(1)"/></g>', "<g/>"],
  ["animated reference to a harmless word", '<a><set attributeName="href" to="x"/></a>', "<a/>"],
  ["animated identity", '<g><set attributeName="id" to="x"/></g>', "<g/>"],
  ["animated style", '<g><set attributeName="style" to="fill:url(//evil.test)"/></g>', "<g/>"],
  ["animated value that loads", '<g><set attributeName="fill" to="url(//evil.test/x)"/></g>', "<g/>"],
  ["property that loads", '<g fill="url(https://evil.test/#a)"/>', '<g fill="none"/>'],
  ["property that loads, quoted", `<g mask="url( 'x.svg#a' )"/>`, "<g/>"],
  ["property with an escape", '<g fill="u\\72l(//evil.test)"/>', '<g fill="none"/>'],
  ["property with a comment", '<g fill="url/**/(//evil.test)"/>', '<g fill="none"/>'],
  ["property in another case", '<g fill="URL(//evil.test)"/>', '<g fill="none"/>'],
  ["second url in one property", '<g fill="url(#a) url(//evil.test)"/>', '<g fill="none"/>'],
  ["paint of a stroke that loads", '<g stroke="url(//evil.test)"/>', '<g stroke="none"/>'],
  ["property without a paint that loads", '<g mask="url(//evil.test)"/>', "<g/>"],
  ["image-set", `<g cursor="image-set('//evil.test/x' 1x)"/>`, "<g/>"],
  ["expression", '<g style="width:expression(alert(1));fill:red"/>', '<g style="fill:red"/>'],
  ["binding", '<g style="-moz-binding:url(#x);behavior:url(#x)"/>', "<g/>"],
  ["style that loads", '<g style="fill:url(//evil.test);stroke:red"/>', '<g style="fill:none;stroke:red"/>'],
  ["style with an escape", '<g style="fill:\\75rl(//evil.test)"/>', '<g style="fill:none"/>'],
  ["style with a hidden semicolon", `<g style="font-family:';fill:url(//evil.test)'"/>`, "<g/>"],
  [
    "sheet that imports",
    "<style>@import url(//evil.test/x.css);.a{fill:red}</style>",
    "<style>.a{fill:red}</style>",
  ],
  ["sheet that imports by a string", "<style>@import '//evil.test/x.css';</style>", "<style/>"],
  ["sheet with an escaped import", "<style>@\\69mport '//evil.test/x.css';</style>", "<style/>"],
  ["sheet with a font", "<style>@font-face{font-family:a;src:url(//evil.test)}</style>", "<style/>"],
  [
    "sheet that loads",
    "<style>.a{fill:url(//evil.test);stroke:red}</style>",
    "<style>.a{fill:none;stroke:red}</style>",
  ],
  [
    "sheet with a nested rule that loads",
    "<style>@media all{.a{fill:url(//x)}.b{r:1}}</style>",
    "<style>@media all{.a{fill:none}.b{r:1}}</style>",
  ],
  [
    "sheet that leaves its element",
    "<style>a{}&lt;/style>&lt;script>alert(1)&lt;/script></style>",
    "<style/>",
  ],
  ["sheet with elements", "<style>.a{fill:red}<script>x</script><g/></style>", "<style>.a{fill:red}</style>"],
  ["base address", '<g xml:base="https://evil.test/"/>', "<g/>"],
  ["processing instruction", '<?xml-stylesheet href="//evil.test/x.css"?><g/>', "<g/>"],
  ["comment", "<!-- <script>x</script> --><g/>", "<g/>"],
  ["text that looks like markup", "<text>&lt;script&gt;</text>", "<text>&lt;script&gt;</text>"],
  [
    "attribute that leaves its quotes",
    '<g id="a&quot; onload=&quot;x"/>',
    '<g id="a&quot; onload=&quot;x"/>',
  ],
  ["drawing program's metadata", '<metadata><x xmlns="a"/></metadata><x:y xmlns:x="inkscape"/>', ""],
];

describe("cleanSvg removes", () => {
  test.each(attacks)("%s", (_, content, left) => {
    expect(inside(content)).toBe(left);
  });

  test("handlers and references at the root", () => {
    expect(clean(`<svg ${svg} onload="alert(1)" width="5" style="q:y"/>`)).toBe(`<svg ${svg} width="5"/>`);
  });
});

describe("cleanSvg rejects", () => {
  const bomb = (levels: number) => {
    const entities = Array.from(
      { length: levels },
      (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`,
    );
    return `<!DOCTYPE svg [<!ENTITY a0 "lol">${entities.join("")}]><svg ${svg}><text>&a${levels};</text></svg>`;
  };

  /** Ten levels of ten copies each. */
  const useBomb = (reference: (level: number) => string, name = "a") => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `<g id="${name}${n + 1}">${`<use ${reference(n)}/>`.repeat(10)}</g>`,
    );
    return `<svg ${svg} ${xlink}><g id="${name}0"/>${levels.join("")}</svg>`;
  };

  test.each([
    ["an entity bomb", bomb(9)],
    ["an entity of another file", `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>`],
    ["a parameter entity", `<!DOCTYPE svg [<!ENTITY % a "x">]><svg/>`],
    ["an entity with markup", `<!DOCTYPE svg [<!ENTITY a "<script/>">]><svg>&a;</svg>`],
    ["an entity with a hidden bracket", `<!DOCTYPE svg [<!ENTITY a "&#60;script>">]><svg>&a;</svg>`],
    [
      "a thousand entities",
      `<!DOCTYPE svg [${"<!ENTITY a 'x'>".replace("a", "a0")}${Array.from({ length: 1000 }, (_, n) => `<!ENTITY b${n} 'x'>`).join("")}]><svg/>`,
    ],
    [
      "an entity used too often",
      `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(500)}">]><svg><text>${"&a;".repeat(1000)}</text></svg>`,
    ],
    ["an unknown entity", "<svg>&nbsp;</svg>"],
    ["an entity by the name of a method", "<svg>&toString;</svg>"],
    ["an element that is not closed", "<svg><g></svg>"],
    ["an unquoted attribute", "<svg width=1/>"],
    ["a doubled attribute", "<svg id='a' id='b'/>"],
    ["an unbound prefix", "<svg><x:g/></svg>"],
    ["a control character", "<svg>\u0001</svg>"],
    ["a control character that XML 1.1 has", `<?xml version="1.1"?><svg ${svg}><text>&#1;</text></svg>`],
    [
      "a declaration that a remark seems to hide",
      `<!DOCTYPE svg [<!ENTITY a "x<!--"><!ENTITY % b "-->">]><svg/>`,
    ],
    ["two roots", "<svg/><svg/>"],
    ["another root", '<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>'],
    ["a root of another namespace", '<svg xmlns="http://www.w3.org/1999/xhtml"/>'],
    ["nothing", ""],
    ["nesting without end", `<svg>${"<g>".repeat(500)}${"</g>".repeat(500)}</svg>`],
    [
      "nesting without end in a part that is left out",
      `<svg>${"<x>".repeat(500)}${"</x>".repeat(500)}</svg>`,
    ],
    ["elements without number", `<svg>${"<g/>".repeat(100_001)}</svg>`],
    [
      "a bomb of uses",
      `<svg><g id="a0"/>${Array.from({ length: 9 }, (_, n) => `<g id="a${n + 1}">${`<use href="#a${n}"/>`.repeat(10)}</g>`).join("")}</svg>`,
    ],
    ["a bomb of uses with a decoy", useBomb((n) => `xlink:href="#none" href="#a${n}"`)],
    ["a bomb of uses by encoded names", useBomb((n) => `href="#%61${n}"`)],
    [
      "a bomb of uses by names that cannot be decoded as a whole",
      useBomb((n) => `href="#%zz%61${n}"`, "%zza"),
    ],
    ["a shape that shows itself", '<svg><g id="a"><g><use href="#a"/></g></g></svg>'],
    [
      "shapes that show each other",
      '<svg><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>',
    ],
  ])("%s", (_, text) => {
    expect(clean(text)).toMatch(/^rejected: /);
  });

  /** Ten levels of ten shapes that are painted with the level before. */
  const paintBomb = (element: string, property: string) => {
    const levels = Array.from({ length: 9 }, (_, n) => {
      return `<${element} id="p${n + 1}">${`<rect ${property}="url(#p${n})"/>`.repeat(10)}</${element}>`;
    });
    return `<svg><${element} id="p0"><rect/></${element}>${levels.join("")}</svg>`;
  };

  test.each([
    ["pattern", "fill"],
    ["pattern", "stroke"],
    ["marker", "marker-end"],
    ["mask", "mask"],
    ["clipPath", "clip-path"],
    ["pattern", "style"],
  ])("a bomb of %s references in %s", (element, property) => {
    const bomb = paintBomb(element, property);
    const text = property === "style" ? bomb.replaceAll('style="', 'style="fill:') : bomb;
    expect(clean(text)).toMatch(/^rejected: The SVG must have at most 100000 elements/);
  });

  /** The bomb of patterns, its references moved to a style sheet with one rule a level. */
  const styledBomb = (rule: (level: number) => string, shape: (level: number) => string) => {
    const levels = Array.from({ length: 9 }, (_, n) => {
      return `<pattern id="p${n + 1}">${shape(n).repeat(10)}</pattern>`;
    });
    const rules = Array.from({ length: 9 }, (_, n) => rule(n)).join("");
    return `<svg><pattern id="p0"><rect/></pattern>${levels.join("")}<style>${rules}</style></svg>`;
  };

  test.each<[string, (level: number) => string, (level: number) => string]>([
    ["classes", (n) => `.c${n}{fill:url(#p${n})}`, (n) => `<rect class="x c${n}"/>`],
    ["ids", (n) => `g > #r${n}{stroke:url("#p${n}")}`, (n) => `<rect id="r${n}"/>`],
    ["groups", (n) => `@media all{svg .c${n}:hover{fill:url(#p${n})}}`, (n) => `<rect class="c${n}"/>`],
    ["lists", (n) => `b,.c${n}{font-family:"}";fill:url('#p${n}')}`, (n) => `<rect class="c${n}"/>`],
    ["custom properties", (n) => `.c${n}{--a:url(#p${n});fill:var(--a)}`, (n) => `<rect class="c${n}"/>`],
  ])("a bomb of references in a style sheet, by %s", (_, rule, shape) => {
    expect(clean(styledBomb(rule, shape))).toMatch(/^rejected: The SVG must have at most 100000 elements/);
  });

  test("a bomb of references that shapes inherit from their group", () => {
    const levels = Array.from({ length: 9 }, (_, n) => {
      return `<pattern id="p${n + 1}"><g fill="url(#p${n})">${"<rect/>".repeat(10)}</g></pattern>`;
    });
    const bomb = `<svg><pattern id="p0"><rect/></pattern>${levels.join("")}</svg>`;
    expect(clean(bomb)).toMatch(/^rejected: The SVG must have at most 100000 elements/);
  });

  test("a cycle through a style sheet, and no cycle through a rule of another element", () => {
    const svg = (selector: string) =>
      `<svg><style>${selector}{fill:url(#p)}</style><pattern id="p"><rect class="a"/></pattern><rect class="b"/></svg>`;
    expect(clean(svg(".a"))).toMatch(/^rejected: The SVG must not be cyclic/);
    expect(clean(svg("[class]"))).toMatch(/^rejected: The SVG must not be cyclic/);
    expect(clean(svg(".b"))).toMatch(/^<svg/);
    expect(clean(svg("pattern .b, #none"))).toMatch(/^<svg/);
  });

  test("long style sheets are read in time", () => {
    const rules = "a{fill:url(#g)}".repeat(50_000) + "[".repeat(100_000);
    const shapes = "<a/>".repeat(10_000);
    expect(clean(`<svg><linearGradient id="g"/><style>${rules}</style>${shapes}</svg>`)).toMatch(/^<svg/);
  });

  test("a bomb of filters whose images are groups", () => {
    const levels = Array.from({ length: 9 }, (_, n) => {
      const shapes = `<rect filter="url(#f${n})"/>`.repeat(10);
      return `<g id="g${n + 1}">${shapes}</g><filter id="f${n + 1}"><feImage href="#g${n + 1}"/></filter>`;
    });
    expect(clean(`<svg>${levels.join("")}</svg>`)).toMatch(/every reference expanded/);
  });

  test.each([
    ["a use", '<svg><g id="a"><g><use href="#a"/></g></g></svg>'],
    ["two uses", '<svg><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>'],
    ["a pattern", '<svg><pattern id="a"><rect fill="url(#a)"/></pattern></svg>'],
    ["a mask", '<svg><mask id="a"><g style="mask:url(\'#a\')"/></mask></svg>'],
  ])("a cycle of %s by that name", (_, text) => {
    expect(clean(text)).toBe(
      "rejected: The SVG must not be cyclic; found an element that is drawn inside itself.",
    );
  });

  test("no group that is painted with an element inside it, and no shared gradient", () => {
    const inside =
      '<svg><g clip-path="url(#c)" filter="url(#f)"><clipPath id="c"/><filter id="f"/></g></svg>';
    expect(clean(inside)).toMatch(/^<svg/);
    const stops = "<stop/>".repeat(50);
    const shapes = '<rect fill="url(#l)"/>'.repeat(5_000);
    expect(clean(`<svg><linearGradient id="l">${stops}</linearGradient>${shapes}</svg>`)).toMatch(/^<svg/);
  });

  test("bytes that are not text", () => {
    expect(clean(Buffer.from("<svg>\xff</svg>", "latin1"))).toMatch(/^rejected: /);
  });

  test("a long chain of uses without overflowing the stack", () => {
    const links = Array.from({ length: 20_000 }, (_, n) => `<g id="a${n}"><use href="#a${n + 1}"/></g>`);
    expect(clean(`<svg>${links.join("")}</svg>`)).toMatch(/^rejected: /);
  });

  test("an SVG above the limits of the options", () => {
    expect(clean("<svg><g/></svg>", { svgElements: 1 })).toMatch(/^rejected: /);
    expect(clean("<svg><g/></svg>", { svgDepth: 1 })).toMatch(/^rejected: /);
  });
});

describe("cleanSvg reads the size", () => {
  test.each([
    ['width="10" height="20"', 10, 20],
    ['width="1in" height="2.54cm"', 96, 96],
    ['width="10px" viewBox="0 0 100 50"', 10, 5],
    ['height="10" viewBox="0 0 100 50"', 20, 10],
    ['viewBox="0,0 100.4,50.5"', 100, 51],
    ['width="100%" height="100%" viewBox="0 0 8 9"', 8, 9],
    ['width="-5" height="0"', 300, 150],
    ['width="1e999" height="NaN"', 1_000_000, 150],
    ['viewBox="0 0 0 5"', 300, 150],
    ["", 300, 150],
    ['width="0.2" height="0.2"', 1, 1],
  ])("of %s", (attributes, width, height) => {
    expect(cleanSvg(`<svg ${attributes}/>`)).toMatchObject({ value: { width, height } });
  });
});

test("half a megabyte of hostile text is parsed in linear time", () => {
  const long = [
    `<svg><g fill="${"a".repeat(500_000)}!"/></svg>`,
    `<svg><g style="${"fill:url(  ".repeat(50_000)}"/></svg>`,
    `<svg><g fill="${"url(".repeat(100_000)}"/></svg>`,
    `<svg><g style="${"a:b;".repeat(100_000)}"/></svg>`,
    `<svg><style>${"/*".repeat(100_000)}</style></svg>`,
    `<svg><style>${"a{".repeat(100_000)}</style></svg>`,
    `<svg><style>${"@media{".repeat(100_000)}</style></svg>`,
    `<svg><style>${`"'`.repeat(100_000)}</style></svg>`,
    `<!DOCTYPE svg [${"<!ENTITY ".repeat(100_000)}]><svg/>`,
    `<!DOCTYPE svg [${"<!-- ' -->".repeat(50_000)}]><svg/>`,
    `<!DOCTYPE svg [${"<!-- ".repeat(100_000)}]><svg/>`,
    `<!DOCTYPE svg [${"<? ".repeat(100_000)}]><svg/>`,
    `<svg><text>${"&amp;".repeat(100_000)}</text></svg>`,
  ];
  for (const text of long) {
    expect(typeof cleanSvg(text).ok).toBe("boolean");
    expect(typeof sniffImage(Buffer.from(text)).kind).toBe("string");
  }
});

test("the headers forbid scripts", () => {
  expect(svgHeaders["content-security-policy"]).toContain("default-src 'none'");
  expect(svgHeaders["x-content-type-options"]).toBe("nosniff");
});

test("the example of the docstring", () => {
  const cleaned = cleanSvg('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script/><g id="a"/></svg>');
  expect(cleaned.ok && cleaned.value.svg).toBe('<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>');
});
