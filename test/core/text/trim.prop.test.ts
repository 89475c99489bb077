/** The ends of texts, and the functions that a long run of one character made slow. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readZoneLine } from "../../../src/cli/input/names/zone-line.ts";
import { queueNameOf } from "../../../src/cli/input/worker-options.ts";
import { nameOf } from "../../../src/cli/lsp/documents.ts";
import { withoutExcerpt } from "../../../src/core/json/parse-error.ts";
import { maskText } from "../../../src/core/text/secrets.ts";
import { trimEndOf, trimOf, trimStartOf } from "../../../src/core/text/trim.ts";
import { wordAtEnd } from "../../../src/editor/expressions/completions.ts";
import { readPaste } from "../../../src/workbench/requests/read-paste.ts";
import { runs } from "../../support/runs.ts";

test("the ends of a text are those of a regular expression", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("/", "-", "a", "."), maxLength: 8 }), (text) => {
      expect(trimEndOf(text, "/-")).toBe(text.replace(/[/-]+$/, ""));
      expect(trimStartOf(text, "/-")).toBe(text.replace(/^[/-]+/, ""));
      expect(trimOf(text, "/-")).toBe(text.replace(/^[/-]+|[/-]+$/g, ""));
      expect(wordAtEnd(text)).toBe(/[A-Za-z_][\w.]*$/.exec(text)?.[0] ?? "");
    }),
    { numRuns: runs(10_000) },
  );
});

test("the excerpt of a message of JSON.parse is left out, with what joins it", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', "{", "a", ",", " ", "1"), maxLength: 30 }), (text) => {
      let message = "";
      try {
        JSON.parse(text);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(withoutExcerpt(message)).toBe(
        message.replace(/(?:, )?(?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, ""),
      );
    }),
    { numRuns: runs(2_000) },
  );
});

const request = { method: "GET", url: "https://a.example/", headers: "" };
const pasteContext = { request, sources: [] } as unknown as Parameters<typeof readPaste>[1];

/** Text for which a search that begins again at each character needs more steps than a test has time for. */
const size = 300_000;
const long = (text: string) => text.repeat(size / text.length);

test.each<readonly [string, () => unknown]>([
  [
    "a pasted header",
    () => readPaste(`https://a.example/\nx:${long(" ")}a${long(" ")}\u2028b`, pasteContext),
  ],
  ["users without a host", () => maskText(`${long("a:")}${long("a")}`)],
  ["an address of a queue", () => queueNameOf(`nats:${long("//")}?${long("#")}`)],
  ["a name of a document", () => nameOf({ uri: `file:///${long("a?")}${long("#")}\n`, languageId: "json" })],
  ["a line of a hosts file", () => readZoneLine(`a${long(":")}${long("\t")}%\u2028x`)],
  ["a message of a parser", () => withoutExcerpt(`${long('"')} is not JSON`)],
  ["a typed name", () => wordAtEnd(`${long("a")}-`)],
])("%s, very long, ends", (_, run) => expect(messageOf(run)).toMatch(/^$|^The text is not a request/));

/** The message of the error of a function; empty without one. */
function messageOf(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
