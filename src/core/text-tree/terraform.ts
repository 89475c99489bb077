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

const space = /(?:[\s,\ufeff]|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))*/y;
const inlineSpace = /(?:[ \t]|\/\*[^\n]*?\*\/)*/y;
const word = /[A-Za-z_][\w.-]*/y;
const heredocStart = /<<-?([A-Za-z_][\w-]*)[ \t]*\r?\n/y;
const valueEnd = /[\n\r,\]}#]|\/\/|\/\*|$/y;

/** Never throws. */
export function readTerraformTree(text: string): TextTree {
  const builder = new TreeBuilder();
  const root = builder.add("object", { start: 0, end: text.length });
  const open: OpenValue[] = root ? [{ node: root, around: [] }] : [];
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
  }

  function push(kind: "object" | "array", parent: TextNode, names: readonly MemberName[]): void {
    const around: TextNode[] = [];
    let inner = parent;
    for (const name of names.slice(0, -1)) {
      const node = builder.add("object", { start: at, end: text.length }, { parent: inner, name });
      if (!node) return;
      around.push(node);
      inner = node;
    }
    const node = builder.add(kind, { start: at, end: text.length }, { parent: inner, name: names.at(-1) });
    if (node) open.push({ node, around });
    at++;
  }

  function takeName(): MemberName | undefined {
    const start = at;
    if (text[at] === '"') {
      at = quotedEnd(text, at).end;
      return { text: text.slice(start + 1, at - 1), start, end: at };
    }
    const found = take(word);
    return found === undefined ? undefined : { text: found, start, end: at };
  }

  function takeMember(parent: TextNode): void {
    const name = takeName();
    if (!name) {
      at++;
      return;
    }
    const names = [name];
    for (;;) {
      take(inlineSpace);
      const found = text[at];
      if ((found === "=" && text[at + 1] !== "=") || found === ":") {
        at++;
        takeValue(parent, name);
        return;
      }
      if (found === "{") {
        push("object", parent, names);
        return;
      }
      const label = takeName();
      if (!label) return;
      names.push(label);
    }
  }

  function takeValue(parent: TextNode, name?: MemberName): void {
    take(inlineSpace);
    const start = at;
    const found = text[at];
    if (found === "[" || found === "{") push(found === "[" ? "array" : "object", parent, name ? [name] : []);
    else if (take(heredocStart) !== undefined) takeHeredoc(parent, name, start);
    else takeInline(parent, name, start);
  }

  function takeInline(parent: TextNode, name: MemberName | undefined, start: number): void {
    if (text[at] === '"') {
      const { end, isWhole } = quotedEnd(text, at);
      at = end;
      take(inlineSpace);
      if (isAt(valueEnd, text, at)) {
        builder.add("string", { start, end }, { parent, name }, () => quoted(text, start, end, isWhole));
        return;
      }
    }
    at = expressionEnd(text, at);
    // A value that begins with a closing bracket is missing.
    if (at > start) builder.add("other", { start, end: at }, { parent, name });
  }

  function takeHeredoc(parent: TextNode, name: MemberName | undefined, start: number): void {
    heredocStart.lastIndex = start;
    const word = heredocStart.exec(text)?.[1] ?? "";
    const mark = new RegExp(`^[ \\t]*${word}[ \\t]*\\r?$`, "m");
    const from = at;
    const found = text.slice(from).search(mark);
    const to = found < 0 ? text.length : from + found;
    const lineEnd = text.indexOf("\n", to);
    at = found < 0 || lineEnd < 0 ? text.length : lineEnd;
    const isIndented = text[start + 2] === "-";
    builder.add("string", { start, end: to }, { parent, name }, () =>
      readHeredoc(text, from, to, isIndented),
    );
  }

  for (take(space); at < text.length && !builder.isCut; take(space)) {
    const { node } = open.at(-1) as OpenValue;
    if (open.length > maxTreeDepth) builder.isCut = true;
    const found = text[at];
    if (node.kind === "array") {
      if (found === "]" || found === "}") {
        close(found === "]" ? at + 1 : at);
        if (found === "]") at++;
      } else {
        const before = at;
        takeValue(node);
        if (at === before) at++;
      }
    } else if (found === "}") {
      close(++at);
    } else takeMember(node);
  }
  return builder.tree;
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The end of the string at an offset, on its line; `isWhole` when it is closed and has no template. */
function quotedEnd(text: string, start: number): { readonly end: number; readonly isWhole: boolean } {
  let isWhole = true;
  let at = start + 1;
  // The brackets of templates that are open, and the strings in them.
  const open: ("string" | "brace")[] = ["string"];
  while (at < text.length) {
    const found = text[at];
    const isString = open.at(-1) === "string";
    if (found === "\n" || found === "\r") return { end: at, isWhole: false };
    if (isString && found === "\\") at += 2;
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
        if (open.length === 0) return { end: at, isWhole };
      } else if (!isString && found === "{") open.push("brace");
      else if (!isString && found === "}") open.pop();
    }
  }
  return { end: text.length, isWhole: false };
}

/** The end of an expression: a line end, comma or closing bracket outside of its own brackets. */
function expressionEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const found = text[at] ?? "";
    if (found === '"') {
      at = Math.max(at + 1, quotedEnd(text, at).end);
      continue;
    }
    if (depth === 0 && (isAt(valueEnd, text, at) || found === ")")) return at;
    if (/[([{]/.test(found)) depth++;
    if (/[)\]}]/.test(found)) depth--;
    at++;
  }
  return at;
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
