/**
 * Parses YAML 1.2 to JSON values and keeps the position of each value. Depth, aliases and size are bounded; tags other
 * than those of JSON values, repeated keys and several documents are rejected.
 */
import { Composer, type CST, type Document, Parser } from "yaml";
import type { Placed } from "../diagnostic.ts";
import { type JsonSource, syntaxError } from "../json-source.ts";
import { createLineIndex } from "../line-index.ts";
import { failure, type Result, success } from "../result.ts";
import { assertDepth, readValue, YamlStop } from "./values.ts";

/** Maximum length of a text in UTF-16 code units; the parser needs up to 300 bytes of memory for each. */
export const maxYamlLength = 4_194_304;

/** Parses a YAML text of one document, or returns its first error, in `file`. */
export function parseYamlSource(text: string, file = ""): Result<JsonSource, Placed<"syntax">> {
  const positionAt = createLineIndex(text);
  try {
    const { value, spanOf } = readValue(composeOnly(text).contents);
    const locate = (at: string) => positionAt(spanOf(at).start);
    const range = (at: string) => {
      const { start, end } = spanOf(at);
      const length = text.slice(start, end).trimEnd().length;
      return { start: positionAt(start), end: positionAt(start + length) };
    };
    return success({ value, locate, range });
  } catch (error) {
    if (!(error instanceof YamlStop)) throw error;
    return failure(syntaxError(file, positionAt(error.offset), error.message));
  }
}

function composeOnly(text: string): Document.Parsed {
  if (text.length > maxYamlLength)
    throw new YamlStop(
      0,
      `the text has ${text.length} characters; YAML must have at most ${maxYamlLength}, JSON may have more`,
    );
  let only: Document.Parsed | undefined;
  for (const document of composeAll(text)) {
    if (only) throw new YamlStop(document.range[0], "a second document begins here; the text must have one");
    only = document;
  }
  if (!only) throw new YamlStop(0, "the text is empty");
  return only;
}

function* composeAll(text: string): Generator<Document.Parsed> {
  const composer = strictComposer();
  for (const token of new Parser().parse(text)) {
    if (token.type === "error") throw stopAt(token.offset, token.message);
    if (token.type === "document") assertDepth(token);
    yield* composer.next(token) as Generator<Document.Parsed>;
  }
  yield* composer.end() as Generator<Document.Parsed>;
}

/**
 * Stops at the first error or warning: a hostile text has millions. The package collects them; `onError` is the member
 * through which it does.
 */
function strictComposer(): Composer {
  const composer = new Composer({
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // Compares every pair of keys; the keys are compared when values are read.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  let first: YamlStop | undefined;
  const onError = (source: number | readonly number[] | CST.Token, code: string, message: string) => {
    // The composer catches what is thrown in a collection, and reports it again.
    first ??= stopAt(offsetOfSource(source), knownMessages[code] ?? message);
    throw first;
  };
  return Object.assign(composer, { onError });
}

function offsetOfSource(source: number | readonly number[] | CST.Token): number {
  if (typeof source === "number") return source;
  return "offset" in source ? source.offset : (source[0] ?? 0);
}

/** Messages in place of the package's, by its error codes. */
const knownMessages: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED:
    "this tag is not read; values are text, numbers, `true`, `false`, `null`, sequences and mappings",
  TAB_AS_INDENT: "a tab cannot indent; use spaces",
  NON_STRING_KEY: "a key must be text, a number, `true`, `false` or `null`",
};

/** Longest message of the package that is repeated, in characters. */
const maxMessage = 160;

function stopAt(offset: number, message: string): YamlStop {
  const line = JSON.stringify(message).slice(1, -1).replaceAll('\\"', '"');
  return new YamlStop(offset, line.charAt(0).toLowerCase() + line.slice(1, maxMessage).replace(/\.$/, ""));
}
