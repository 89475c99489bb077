/** Reads JSON and JSONC that may be broken, as in an editor: what is closed or named is found, the rest is passed over. */
import { createScanner } from "jsonc-parser";
import { type MemberName, maxTreeDepth, type TextNode, type TextTree, TreeBuilder } from "./node.ts";
import { jsonString } from "./written-string.ts";

/** Tokens of the scanner; the enumeration of the package exists for its compiler only. */
const tokens = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  string: 10,
  lastValue: 11,
  end: 17,
};

/** An object or array that is not closed yet. */
interface OpenValue {
  readonly node: TextNode;
  readonly close: number;
  /** The name of the next member. */
  name?: MemberName | undefined;
  hasColon: boolean;
}

/** Never throws. */
export function readJsonTree(text: string): TextTree {
  const scanner = createScanner(text, true);
  const builder = new TreeBuilder();
  const open: OpenValue[] = [];
  const counts = { [tokens.closeBrace]: 0, [tokens.closeBracket]: 0 } as Record<number, number>;

  function add(kind: TextNode["kind"], start: number, end: number): TextNode | undefined {
    const around = open.at(-1);
    const read = kind === "string" ? () => jsonString(text, start, end) : undefined;
    if (!around) return builder.root ? undefined : builder.add(kind, { start, end }, {}, read);
    const { node: parent, name, hasColon } = around;
    around.name = undefined;
    around.hasColon = false;
    if (parent.kind === "array") return builder.add(kind, { start, end }, { parent }, read);
    return name && hasColon ? builder.add(kind, { start, end }, { parent, name }, read) : undefined;
  }

  function addString(start: number, end: number): void {
    const around = open.at(-1);
    if (around?.node.kind !== "object" || (around.name && around.hasColon)) {
      add("string", start, end);
      return;
    }
    around.name = { text: jsonString(text, start, end).value, start, end };
    around.hasColon = false;
  }

  function close(token: number, end: number): void {
    if (!counts[token]) return;
    for (let last = open.pop(); last; last = open.pop()) {
      last.node.end = end;
      counts[last.close] = (counts[last.close] ?? 1) - 1;
      if (last.close === token) return;
    }
  }

  for (let token: number = scanner.scan(); token !== tokens.end; token = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    const around = open.at(-1);
    if (token === tokens.openBrace || token === tokens.openBracket) {
      const isObject = token === tokens.openBrace;
      const node = add(isObject ? "object" : "array", start, text.length);
      if (builder.isCut || open.length >= maxTreeDepth) return { ...builder.tree, isCut: true };
      if (!node) continue;
      open.push({ node, close: token + 1, hasColon: false });
      counts[token + 1] = (counts[token + 1] ?? 0) + 1;
    } else if (token === tokens.closeBrace || token === tokens.closeBracket) close(token, end);
    else if (token === tokens.string) addString(start, end);
    else if (token === tokens.colon) {
      if (around?.name) around.hasColon = true;
    } else if (token === tokens.comma) {
      if (around) around.name = undefined;
    } else if (token <= tokens.lastValue) add("other", start, end);
  }
  return builder.tree;
}
