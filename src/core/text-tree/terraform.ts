/**
 * Reads the sources of Terraform, which may be broken, as a tree: blocks, attributes, lists, objects, strings and heredocs
 * (HashiCorp Configuration Language, native syntax). Every other expression is passed over. A block with labels is an
 * object in an object for each label; a repeated block is a repeated member.
 */
import {
  type MemberName,
  maxTreeDepth,
  type TextNode,
  type TextTree,
  TreeBuilder,
  type WrittenString,
} from "./node.ts";
import { escapedString, readBackslash } from "./written-string.ts";

interface OpenValue {
  readonly node: TextNode;
  /** The nodes of the labels around a body, which end with it. */
  readonly around: readonly TextNode[];
}

const word = /[A-Za-z_][\w.-]*/y;
/** A key of an object that is not a name. */
const otherKey = /\d+(?=[ \t]*[=:])|\([^()\n]*\)(?=[ \t]*[=:])/y;
const forStart = /for\s+[A-Za-z_]/y;
const heredocStart = /<<-?([A-Za-z_][\w-]*)[ \t]*\r?\n/y;
const valueEnd = /[\n\r,\]}#]|\/\/|\/\*|$/y;

/** The offset of the end of a line, which is the length of the text for the last one. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** The offset after the white space, commas and comments at an offset. */
function spaceEnd(text: string, start: number, onOpen?: (comment: number) => void): number {
  let at = start;
  while (at < text.length) {
    if (/[\s,\ufeff]/.test(text[at] as string)) at++;
    else if (text[at] === "#" || text.startsWith("//", at)) at = lineEnd(text, at);
    else if (text.startsWith("/*", at)) {
      const end = commentEnd(text, at);
      if (end === undefined) onOpen?.(at);
      at = end ?? text.length;
    } else break;
  }
  return at;
}

/** The offset after the blanks, tabs and comments at an offset that end on their line. */
function inlineSpaceEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    if (text[at] === " " || text[at] === "\t") at++;
    else if (text.startsWith("/*", at)) {
      const end = commentEnd(text, at);
      if (end === undefined || text.slice(at, end).includes("\n")) return at;
      at = end;
    } else return at;
  }
}

/** The offset after a comment between slashes; undefined for one that is not closed. */
function commentEnd(text: string, start: number): number | undefined {
  const close = text.indexOf("*/", start + 2);
  return close < 0 ? undefined : close + 2;
}

/** Whether a string may have line ends in its templates: not any more after one that is not closed. */
interface StringReading {
  canSpan: boolean;
}

/** Never throws. The tree of a text with a fault has what could be read, as editors need it. */
export function readTerraformTree(text: string): TextTree {
  const builder = new TreeBuilder();
  const root = builder.add("object", { start: 0, end: text.length });
  const open: OpenValue[] = root ? [{ node: root, around: [] }] : [];
  const strings: StringReading = { canSpan: true };
  let at = 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function close(end: number): void {
    const last = open.length > 1 ? open.pop() : undefined;
    for (const node of last ? [last.node, ...last.around] : []) node.end = end;
    if (!last) builder.note(end - 1, `\`${text[end - 1]}\` closes nothing`);
    if (last && !last.node.isBlock) takeRest(last.node);
  }

  /** Passes over the rest of an expression after a list or an object, such as an index. */
  function takeRest(node: TextNode): void {
    const after = inlineSpaceEnd(text, at);
    if (isAt(valueEnd, text, after) || text[after] === ")") return;
    node.isPart = true;
    at = takeExpression(after);
  }

  function takeExpression(start: number): number {
    const { end, fault } = expressionEnd(text, start, strings);
    if (fault) builder.note(fault.offset, fault.message);
    return end;
  }

  function takeQuoted(): boolean {
    const start = at;
    const { end, isClosed, isWhole } = quotedEnd(text, at, strings);
    if (!isClosed) builder.note(start, "the string is not closed");
    at = end;
    return isWhole;
  }

  /** In the body of a block, what cannot be read is a fault; elsewhere it is another expression. */
  function noteOther(node: TextNode, offset: number, message: string): void {
    if (node.isBlock || !node.parent) builder.note(offset, message);
    else node.isPart = true;
  }

  function push(
    kind: "object" | "array",
    parent: TextNode,
    names: readonly MemberName[],
    isBlock: boolean,
  ): void {
    const around: TextNode[] = [];
    let inner = parent;
    for (const name of names.slice(0, -1)) {
      const node = builder.add("object", { start: at, end: text.length }, { parent: inner, name });
      if (!node) return;
      around.push(node);
      inner = node;
    }
    const of = { parent: inner, name: names.at(-1), isBlock };
    const node = builder.add(kind, { start: at, end: text.length }, of);
    if (node) open.push({ node, around });
    at++;
  }

  function takeName(isKey = false): MemberName | undefined {
    const start = at;
    if (text[at] === '"') {
      takeQuoted();
      return { text: text.slice(start + 1, at - 1), start, end: at };
    }
    const found = take(word) ?? (isKey ? take(otherKey) : undefined);
    return found === undefined ? undefined : { text: found, start, end: at };
  }

  function takeMember(parent: TextNode): void {
    const name = takeName(!parent.isBlock);
    if (!name) {
      noteOther(parent, at, `a block or an attribute must begin with a name; found \`${text[at]}\``);
      at++;
      return;
    }
    const names = [name];
    for (;;) {
      at = inlineSpaceEnd(text, at);
      const found = text[at];
      if ((found === "=" && text[at + 1] !== "=") || found === ":") {
        at++;
        takeValue(parent, name);
        return;
      }
      if (found === "{") {
        if (!parent.isBlock && parent.parent) parent.isPart = true;
        push("object", parent, names, true);
        return;
      }
      const label = takeName();
      if (!label) {
        noteOther(parent, name.start, `\`${name.text}\` needs \`=\` and a value, or \`{\``);
        return;
      }
      names.push(label);
    }
  }

  function takeValue(parent: TextNode, name?: MemberName): void {
    at = inlineSpaceEnd(text, at);
    const start = at;
    const found = text[at];
    const isList = (found === "[" || found === "{") && !isAt(forStart, text, spaceEnd(text, at + 1));
    if (isList) push(found === "[" ? "array" : "object", parent, name ? [name] : [], false);
    else if (take(heredocStart) !== undefined) takeHeredoc(parent, name, start);
    else takeInline(parent, name, start);
  }

  function takeInline(parent: TextNode, name: MemberName | undefined, start: number): void {
    if (text[at] === '"') {
      const isWhole = takeQuoted();
      const end = at;
      at = inlineSpaceEnd(text, at);
      if (isAt(valueEnd, text, at)) {
        builder.add("string", { start, end }, { parent, name }, () => quoted(text, start, end, isWhole));
        return;
      }
    }
    at = takeExpression(at);
    // A value that begins with a closing bracket is missing.
    if (at === start && name) noteOther(parent, start, `\`${name.text}\` has no value`);
    if (at > start) builder.add("other", { start, end: at }, { parent, name });
  }

  function takeHeredoc(parent: TextNode, name: MemberName | undefined, start: number): void {
    const from = at;
    const { to, end, isClosed } = heredocEnd(text, start, from);
    if (!isClosed) builder.note(start, "the heredoc is not closed");
    at = end;
    const isIndented = text[start + 2] === "-";
    builder.add("string", { start, end: to }, { parent, name }, () =>
      readHeredoc(text, from, to, isIndented),
    );
  }

  const skip = () => spaceEnd(text, at, (comment) => builder.note(comment, "the comment is not closed"));
  for (at = skip(); at < text.length && !builder.isCut; at = skip()) {
    const { node } = open.at(-1) as OpenValue;
    if (open.length > maxTreeDepth) builder.isCut = true;
    const found = text[at];
    if (node.kind === "array") {
      if (found === "]") close(++at);
      else if (found === "}") {
        builder.note(at, "`]` is expected; found `}`");
        node.isPart = true;
        node.end = at;
        open.pop();
      } else {
        const before = at;
        takeValue(node);
        if (at === before) {
          node.isPart = true;
          at++;
        }
      }
    } else if (found === "}") {
      close(++at);
    } else takeMember(node);
  }
  const last = open.at(-1)?.node;
  if (last?.parent) builder.note(last.start, `\`${text[last.start]}\` is not closed`);
  return builder.tree;
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The lines of a heredoc, and the offset after the line that closes it. */
function heredocEnd(text: string, start: number, from: number) {
  heredocStart.lastIndex = start;
  const word = heredocStart.exec(text)?.[1] ?? "";
  let to = from;
  let end = lineEnd(text, to);
  while (end < text.length && text.slice(to, end).trim() !== word) {
    to = end + 1;
    end = lineEnd(text, to);
  }
  const isClosed = text.slice(to, end).trim() === word;
  return { to: isClosed ? to : text.length, end, isClosed };
}

interface QuotedEnd {
  readonly end: number;
  readonly isClosed: boolean;
  /** Whether it is closed and has no template. */
  readonly isWhole: boolean;
}

/** The end of the string at an offset: on its line, but templates in it can have several. */
function quotedEnd(text: string, start: number, strings: StringReading): QuotedEnd {
  let isWhole = true;
  let at = start + 1;
  let firstLine: number | undefined;
  // The brackets of templates that are open, and the strings in them.
  const open: ("string" | "brace")[] = ["string"];
  while (at < text.length) {
    const found = text[at];
    const isString = open.at(-1) === "string";
    if (found === "\n" || found === "\r") {
      firstLine ??= at;
      if (isString || !strings.canSpan) break;
      at++;
    } else if (isString && found === "\\") at += 2;
    else if (isString && /^(?:\$\$|%%)\{/.test(text.slice(at, at + 3))) at += 3;
    else if (isString && /^[$%]\{/.test(text.slice(at, at + 2))) {
      isWhole = false;
      open.push("brace");
      at += 2;
    } else {
      at++;
      if (found === '"') {
        if (isString) open.pop();
        else open.push("string");
        if (open.length === 0) return { end: at, isClosed: true, isWhole };
      } else if (!isString && found === "{") open.push("brace");
      else if (!isString && found === "}") open.pop();
    }
  }
  // Without this, each of many open templates would be read to the end of the text.
  strings.canSpan &&= firstLine === undefined || firstLine === at;
  return { end: Math.min(firstLine ?? text.length, text.length), isClosed: false, isWhole: false };
}

/** The end of an expression: a line end, comma or closing bracket outside of its own brackets. */
function expressionEnd(
  text: string,
  start: number,
  strings: StringReading,
): { readonly end: number; readonly fault?: TextTree["fault"] } {
  let depth = 0;
  let at = start;
  let fault: TextTree["fault"];
  while (at < text.length) {
    const found = text[at] ?? "";
    if (found === '"') {
      const { end, isClosed } = quotedEnd(text, at, strings);
      if (!isClosed) fault ??= { offset: at, message: "the string is not closed" };
      at = Math.max(at + 1, end);
      continue;
    }
    if (depth === 0 && (isAt(valueEnd, text, at) || found === ")")) break;
    if (depth > 0) {
      // Comments and heredocs can have quotes and brackets.
      const after = found === "," ? at : spaceEnd(text, at);
      if (after > at) {
        at = after;
        continue;
      }
      if (found === "<" && isAt(heredocStart, text, at)) {
        at = heredocEnd(text, at, lineEnd(text, at) + 1).end;
        continue;
      }
    }
    if (/[([{]/.test(found)) depth++;
    if (/[)\]}]/.test(found)) depth--;
    at++;
  }
  if (depth > 0) fault ??= { offset: start, message: "the expression has a bracket that is not closed" };
  return { end: at, ...(fault && { fault }) };
}

function readTemplate(text: string, at: number) {
  return /^(?:\$\$|%%)\{/.test(text.slice(at, at + 3))
    ? { length: 3, value: text.slice(at + 1, at + 3) }
    : undefined;
}

function quoted(text: string, start: number, end: number, isWhole: boolean): WrittenString {
  const isClosed = end > start + 1 && text[end - 1] === '"';
  const to = isClosed ? end - 1 : end;
  const edit = (value: string) =>
    isWhole && isClosed
      ? { start, end, content: JSON.stringify(value).replace(/[$%](?=\{)/g, "$&$&") }
      : undefined;
  const read = (source: string, at: number) => readBackslash(source, at) ?? readTemplate(source, at);
  return escapedString({ source: text, from: start + 1, to, edit }, read, isWhole);
}

/** The indentation of an indented heredoc is left in the value: white space has no meaning in an expression. */
function readHeredoc(text: string, from: number, to: number, isIndented: boolean): WrittenString {
  const content = text.slice(from, to);
  const isWhole = !/(?<![$%])[$%]\{/.test(content);
  const indent = /^[ \t]*/.exec(content.split("\n").find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  const eol = content.includes("\r\n") ? "\r\n" : "\n";
  const edit = (value: string) => {
    if (!isWhole || content === "" || value.trim() === "") return undefined;
    const lines = value
      .trimEnd()
      .replace(/[$%](?=\{)/g, "$&$&")
      .split("\n");
    const written = lines.map((line) => (isIndented ? indent : "") + line).join(eol) + eol;
    return { start: from, end: to, content: written };
  };
  return escapedString({ source: text, from, to, edit }, readTemplate, isWhole);
}
