/** Reads YAML that may be broken, as in an editor. Aliases, tags and documents after the first are passed over. */
import { CST, Parser } from "yaml";
import {
  type MemberName,
  maxTreeDepth,
  type TextNode,
  type TextTree,
  TreeBuilder,
  type WrittenString,
} from "./node.ts";
import { escapedString, offsetIn, readBackslash } from "./written-string.ts";

/** A token that is still to be read, and where it belongs. */
interface Waiting {
  readonly token: CST.Token;
  readonly parent?: TextNode | undefined;
  readonly name?: MemberName | undefined;
  readonly depth: number;
  readonly isInFlow: boolean;
}

/** Never throws. */
export function readYamlTree(text: string): TextTree {
  const builder = new TreeBuilder();
  const nodes: TextNode[] = [];
  const root = firstValue(text);
  const waiting: Waiting[] = root ? [{ token: root, depth: 0, isInFlow: false }] : [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const node = addToken(builder, text, next);
    if (next.depth >= maxTreeDepth) builder.isCut = true;
    if (builder.isCut) break;
    if (!node) continue;
    nodes.push(node);
    for (const child of childrenOf(next, node).reverse()) waiting.push(child);
  }
  for (const node of nodes.reverse())
    if (node.parent && node.parent.end < node.end) node.parent.end = node.end;
  return builder.tree;
}

function firstValue(text: string): CST.Token | undefined {
  for (const token of new Parser().parse(text)) if (token.type === "document") return token.value;
  return undefined;
}

function addToken(builder: TreeBuilder, text: string, waiting: Waiting): TextNode | undefined {
  const { token, parent, name, isInFlow } = waiting;
  const { offset: start } = token;
  const at = { parent, name };
  switch (token.type) {
    case "block-map":
      return builder.add("object", { start, end: start }, at);
    case "block-seq":
      return builder.add("array", { start, end: start }, at);
    case "flow-collection": {
      const last = token.end.at(-1);
      const end = last ? last.offset + last.source.length : text.length;
      return builder.add(
        token.start.source === "{" ? "object" : "array",
        { start: token.start.offset, end },
        at,
      );
    }
    case "block-scalar": {
      const range = { start, end: contentOf(token) + token.source.length };
      return builder.add("string", range, at, () => readBlock(text, token));
    }
    case "scalar":
    case "single-quoted-scalar":
    case "double-quoted-scalar": {
      const isString = token.type !== "scalar" || !otherScalar.test(token.source);
      const range = { start, end: start + token.source.length };
      return isString
        ? builder.add("string", range, at, () => readFlow(text, token, isInFlow))
        : builder.add("other", range, at);
    }
    default:
      return undefined;
  }
}

/** Plain scalars that are not strings. */
const otherScalar = /^(?:~|null|true|false|[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|\.\d+))$/i;

function childrenOf({ token, depth, isInFlow }: Waiting, parent: TextNode): Waiting[] {
  if (!CST.isCollection(token)) return [];
  const isFlow = isInFlow || token.type === "flow-collection";
  return (token.items as readonly CST.CollectionItem[]).flatMap(({ key, value }) => {
    if (parent.kind === "array")
      return value ? [{ token: value, parent, depth: depth + 1, isInFlow: isFlow }] : [];
    if (!value || !key || !CST.isScalar(key)) return [];
    const text = CST.resolveAsScalar(key, false, ignoreError)?.value ?? "";
    const name = { text, start: key.offset, end: key.offset + key.source.length };
    return [{ token: value, parent, name, depth: depth + 1, isInFlow: isFlow }];
  });
}

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
    const end = /[\r\n]*$/.exec(source)?.[0] ?? "";
    const isFolded = header.startsWith(">");
    const body = next.replace(/\n+$/, "");
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
