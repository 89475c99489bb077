/** Reads YAML that may be broken, as in an editor. Aliases, tags and documents after the first are passed over. */

import { CST, Lexer } from "yaml";
import { trimEndOf } from "../text/trim.ts";
import {
  type MemberName,
  maxTreeDepth,
  type TextNode,
  type TextTree,
  TreeBuilder,
  type WrittenString,
} from "./node.ts";
import { escapedString, offsetIn, readBackslash } from "./written-string.ts";

/** An object or array that may get more values. */
interface OpenValue {
  readonly node: TextNode;
  /** Column of its names or dashes; -1 in braces and brackets. */
  readonly column: number;
  /** The name of the next member. */
  name?: MemberName | undefined;
}

/** A scalar that is a name when a colon follows. */
interface HeldScalar {
  readonly token: CST.FlowScalar;
  readonly column: number;
}

/** The header of a block scalar, and what follows it on its line. */
interface BlockHeader {
  readonly offset: number;
  readonly props: CST.Token[];
}

/**
 * Never throws. Builds the tree of the lexer's tokens: the parser of the package needs four times as long, and a text is
 * read at every change.
 */
export function readYamlTree(text: string): TextTree {
  const reader = new YamlReader(text);
  for (const lexeme of new Lexer().lex(text)) if (!reader.read(lexeme)) break;
  return reader.finish();
}

class YamlReader {
  readonly #text: string;
  readonly #builder = new TreeBuilder();
  readonly #nodes: TextNode[] = [];
  readonly #open: OpenValue[] = [];
  #held: HeldScalar | undefined;
  #header: BlockHeader | undefined;
  #isScalarNext = false;
  /** Whether a second document begins. */
  #isOver = false;
  #at = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next lexeme. @returns whether more of them belong to the tree */
  read(lexeme: string): boolean {
    if (lexeme === CST.DOCUMENT) return true;
    if (lexeme === CST.FLOW_END) this.#closeFlow(this.#at);
    else if (lexeme === CST.SCALAR) this.#isScalarNext = true;
    else {
      this.#readSource(lexeme);
      this.#at += lexeme.length;
    }
    return !this.#builder.isCut && !this.#isOver;
  }

  finish(): TextTree {
    this.#flush();
    this.#closeFlow(this.#at);
    for (const node of this.#nodes.reverse())
      if (node.parent && node.parent.end < node.end) node.parent.end = node.end;
    return this.#builder.tree;
  }

  #readSource(source: string): void {
    const offset = this.#at;
    if (this.#isScalarNext) {
      this.#isScalarNext = false;
      if (this.#header) this.#addBlock(this.#header, source);
      else this.#hold("scalar", source);
      this.#moveLine(source);
      return;
    }
    const type = CST.tokenType(source);
    if (this.#header) {
      this.#header.props.push({ type: type === "newline" ? "newline" : "space", offset, indent: 0, source });
      if (type === "newline") this.#lineStart = offset + source.length;
      return;
    }
    this.#readToken(type, source);
  }

  #readToken(type: CST.TokenType | null, source: string): void {
    const column = this.#at - this.#lineStart;
    const end = this.#at + source.length;
    switch (type) {
      case "byte-order-mark":
        this.#lineStart = end;
        return;
      case "space":
      case "comment":
        return;
      case "double-quoted-scalar":
      case "single-quoted-scalar":
        this.#hold(type, source);
        this.#moveLine(source);
        return;
      case "map-value-ind":
        this.#addName();
        return;
      case "seq-item-ind":
        this.#flush();
        this.#addItem(column);
        return;
      case "block-scalar-header":
        this.#flush();
        this.#header = { offset: this.#at, props: [{ type, offset: this.#at, indent: 0, source }] };
        return;
      case "flow-map-start":
      case "flow-seq-start":
        this.#flush();
        this.#push(
          type === "flow-map-start" ? "object" : "array",
          { start: this.#at, end: this.#text.length },
          -1,
        );
        return;
      case "flow-map-end":
      case "flow-seq-end":
        this.#flush();
        if (this.#isInFlow) this.#close(end);
        return;
      case "alias":
      case "comma":
        this.#flush();
        this.#dropName();
        return;
      case "newline":
        this.#flush();
        this.#lineStart = end;
        return;
      case "doc-start":
      case "doc-end":
        this.#flush();
        this.#isOver = this.#builder.root !== undefined;
        return;
      default:
        this.#flush();
    }
  }

  get #isInFlow(): boolean {
    return this.#open.at(-1)?.column === -1;
  }

  #moveLine(source: string): void {
    const last = source.lastIndexOf("\n");
    if (last >= 0) this.#lineStart = this.#at + last + 1;
  }

  #hold(type: CST.FlowScalar["type"], source: string): void {
    this.#flush();
    const token = { type, offset: this.#at, indent: 0, source };
    this.#held = { token, column: this.#at - this.#lineStart };
  }

  /** A scalar without a colon behind it is a value. */
  #flush(): void {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    const { token } = held;
    const range = { start: token.offset, end: token.offset + token.source.length };
    const isInFlow = this.#isInFlow;
    const isString = token.type !== "scalar" || !otherScalar.test(token.source);
    if (isString) this.#add("string", range, () => readFlow(this.#text, token, isInFlow));
    else this.#add("other", range);
  }

  #add(
    kind: TextNode["kind"],
    range: { readonly start: number; readonly end: number },
    read?: () => WrittenString,
  ): TextNode | undefined {
    const around = this.#open.at(-1);
    if (!around && this.#builder.root) return undefined;
    const name = around?.name;
    if (around) around.name = undefined;
    if (around?.node.kind === "object" && !name) return undefined;
    const node = this.#builder.add(kind, range, { parent: around?.node, name }, read);
    if (node) this.#nodes.push(node);
    return node;
  }

  #push(
    kind: "object" | "array",
    range: { readonly start: number; readonly end: number },
    column: number,
  ): void {
    if (this.#open.length >= maxTreeDepth) this.#builder.isCut = true;
    const node = this.#builder.isCut ? undefined : this.#add(kind, range);
    if (node) this.#open.push({ node, column });
  }

  #close(end: number): void {
    const last = this.#open.pop();
    if (last) last.node.end = end;
  }

  #closeFlow(end: number): void {
    while (this.#isInFlow) this.#close(end);
  }

  #dropName(): void {
    const around = this.#open.at(-1);
    if (around) around.name = undefined;
  }

  /** Ends the collections whose names or dashes are farther right, and those that a condition ends at this column. */
  #dedent(column: number, ends: (value: OpenValue) => boolean): void {
    for (let last = this.#open.at(-1); last; last = this.#open.at(-1)) {
      const isOver = last.column > column || (last.column === column && ends(last));
      if (!isOver) return;
      this.#open.pop();
    }
  }

  #addName(): void {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    const { token, column } = held;
    const start = token.offset;
    const name = { text: textOf(token), start, end: start + token.source.length };
    if (!this.#isInFlow) {
      this.#dedent(column, ({ node }) => node.kind === "array");
      const around = this.#open.at(-1);
      if (around?.node.kind !== "object" || around.column !== column)
        this.#push("object", { start, end: start }, column);
    }
    const around = this.#open.at(-1);
    if (around?.node.kind === "object") around.name = name;
  }

  #addItem(column: number): void {
    if (this.#isInFlow) return;
    // A list may be in the column of the name that has it.
    this.#dedent(column, ({ node, name }) => node.kind === "object" && !name);
    const around = this.#open.at(-1);
    if (around?.node.kind === "array" && around.column === column) return;
    this.#push("array", { start: this.#at, end: this.#at }, column);
  }

  #addBlock({ offset, props }: BlockHeader, source: string): void {
    this.#header = undefined;
    const indent = Math.max(0, this.#open.at(-1)?.column ?? 0);
    const token = { type: "block-scalar" as const, offset, indent, props, source };
    const range = { start: offset, end: this.#at + source.length };
    this.#add("string", range, () => readBlock(this.#text, token));
  }
}

/** The value of a scalar; that of a plain one in one line is its source. */
function textOf(token: CST.FlowScalar): string {
  if (token.type === "scalar" && !/[\r\n]/.test(token.source)) return token.source;
  return CST.resolveAsScalar(token, false, ignoreError)?.value ?? "";
}

/** Plain scalars that are not strings. */
const otherScalar = /^(?:~|null|true|false|[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|\.\d+))$/i;

const ignoreError = () => {};

function readFlow(text: string, token: CST.FlowScalar, isInFlow: boolean): WrittenString {
  const { offset: start, source, type } = token;
  const quote = type === "scalar" ? "" : type === "single-quoted-scalar" ? "'" : '"';
  const from = start + quote.length;
  const isClosed = quote === "" || (source.length > 1 && source.endsWith(quote));
  const end = start + source.length;
  const edit = (value: string) => {
    if (!isClosed) return undefined;
    return { start, end, content: printFlow(value, quote, isInFlow) };
  };
  const content = { source: text, from, to: isClosed ? end - quote.length : end, edit };
  if (!/[\n\r]/.test(source)) {
    if (quote === '"') return escapedString(content, readBackslash);
    return escapedString(content, (whole, at) =>
      quote === "'" && whole.startsWith("''", at) ? { length: 2, value: "'" } : undefined,
    );
  }
  const { value = "" } = CST.resolveAsScalar(token, false, ignoreError) ?? {};
  return { value, offsetOf: offsetIn(align(text, content, value, quote)), isWhole: true, edit };
}

/** A value in the quotes that it had; without quotes where that has the same meaning. */
function printFlow(value: string, quote: string, isInFlow: boolean): string {
  const special = isInFlow
    ? /^[\s!&*?|>%@`"'#{}[\],-]|: |:$| #|[\n\r\t]|\s$|[,[\]{}]/
    : /^[\s!&*?|>%@`"'#{}[\],-]|: |:$| #|[\n\r\t]|\s$/;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: only double quotes can have escapes
  const needsEscapes = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value);
  if (quote === '"' || needsEscapes) return JSON.stringify(value);
  const isPlain = quote === "" && value !== "" && !special.test(value) && !otherScalar.test(value);
  return isPlain ? value : `'${value.replaceAll("'", "''")}'`;
}

/** The offset of the first line after the header. */
function contentOf({ offset, props }: CST.BlockScalar): number {
  return props.reduce((sum, prop) => sum + ("source" in prop ? prop.source.length : 0), offset);
}

function readBlock(text: string, token: CST.BlockScalar): WrittenString {
  const { offset: start, source } = token;
  const from = contentOf(token);
  const { value = "" } = CST.resolveAsScalar(token, false, ignoreError) ?? {};
  const lines = source.split("\n");
  const indent = /^[ ]*/.exec(lines.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  const to = from + source.length;
  const header = text.slice(start, from);
  const edit = (next: string) => {
    // A header with a digit fixes the indentation, which the first line of another value could change.
    if (/\d/.test(header.split("#")[0] ?? "") || indent === "" || next.trim() === "") return undefined;
    const end = source.slice(trimEndOf(source, "\r\n").length);
    const isFolded = header.startsWith(">");
    const body = trimEndOf(next, "\n");
    if (/^\s/.test(body) || (isFolded && body.includes("\n"))) return undefined;
    const eol = source.includes("\r\n") ? "\r\n" : "\n";
    const content =
      body
        .split("\n")
        .map((line) => indent + line)
        .join(eol) + end;
    return { start: from, end: to, content };
  };
  const offsets = align(text, { from, to }, value, "", indent.length);
  return { value, offsetOf: offsetIn(offsets), isWhole: true, edit };
}

/** The place of each code unit of a value of several lines: its characters are in the source in the same order. */
function align(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  value: string,
  quote: string,
  indent = 0,
): readonly number[] {
  const offsets: number[] = [];
  let at = from;
  const skipIndent = () => {
    for (let i = 0; i < indent && text[at] === " " && at < to; i++) at++;
  };
  skipIndent();
  while (offsets.length < value.length && at < to) {
    const wanted = value[offsets.length];
    const escaped = quote === '"' ? readBackslash(text, at) : undefined;
    if (escaped && !/[\r\n]/.test(text[at + 1] ?? "")) {
      for (let i = 0; i < escaped.value.length; i++) offsets.push(at);
      at += escaped.length;
    } else if (quote === "'" && text.startsWith("''", at)) {
      offsets.push(at);
      at += 2;
    } else if (text[at] === "\n" || text[at] === "\r") {
      if (wanted === " " || wanted === "\n") offsets.push(at);
      at += text.startsWith("\r\n", at) ? 2 : 1;
      if (indent > 0) skipIndent();
      else while (at < to && /[ \t]/.test(text[at] ?? "")) at++;
    } else {
      if (text[at] === wanted) offsets.push(at);
      at++;
    }
  }
  while (offsets.length <= value.length) offsets.push(Math.min(at, to));
  return offsets;
}
