/** Finds the comments of a text in Terraform's language, apart from its strings and heredocs (HCL native syntax specification). */
import type { TextSpan } from "../../../core/line-index.ts";
import type { TextNode } from "../../../core/text-tree/node.ts";
import { readTerraformTree } from "../../../core/text-tree/terraform.ts";

const comment = /(?:#|\/\/)[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const heredoc = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)[ \t]*\r?\n/uy;
/** Text without a meaning here, in code and in a string: also what is escaped in a string. */
const plain = { code: /[^"#/<{}]+/y, string: /[^"\\$%\n]+|\\[^\n]|\$\$\{|%%\{|[$%](?!\{)/y } as const;

/** The comments in their order, each without its line end. Never throws; its time grows with the length of the text. */
export function terraformComments(text: string): readonly TextSpan[] {
  const found: TextSpan[] = [];
  /** The open strings and braces around the place, those of a `${` in a string among them. */
  const open: ("string" | "brace")[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text);
    if (taken) at = pattern.lastIndex;
    return taken;
  };
  const inString = () => {
    if (take(plain.string)) return;
    if (/[$%]/.test(text[at] ?? "")) {
      open.push("brace");
      at += 2;
      return;
    }
    // Its end, or a line end, which a string cannot have.
    if (text[at] !== "\\") open.pop();
    at++;
  };
  const inCode = () => {
    if (take(plain.code)) return;
    const offset = at;
    if (take(comment)) {
      found.push({ offset, length: at - offset });
      return;
    }
    const [, name] = take(heredoc) ?? [];
    if (name !== undefined) {
      at = endOfHeredoc(text, at, name);
      return;
    }
    if (text[at] === '"') open.push("string");
    if (text[at] === "{") open.push("brace");
    if (text[at] === "}") open.pop();
    at++;
  };
  while (at < text.length) {
    if (open.at(-1) === "string") inString();
    else inCode();
  }
  return found;
}

/** The end of the line that has only the name; the end of the text when there is none. */
function endOfHeredoc(text: string, start: number, name: string): number {
  for (let at = start; at < text.length; ) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    if (text.slice(at, end).trim() === name) return end;
    at = end + 1;
  }
  return text.length;
}

/** Members of a resource whose elements have findings of their own. */
const lists = ["rules", "item", "items"];

/** Finds the element of a list of rules at an offset, else the resource. */
export function terraformParts(text: string): (offset: number) => TextSpan | undefined {
  const parts = (readTerraformTree(text).root?.children ?? []).flatMap((root) => {
    const block = root.name?.text === "resource" ? root.children[0]?.children[0] : undefined;
    return block ? [{ ...spanOf(root, block.end), elements: elementsOf(block) }] : [];
  });
  return (offset) => {
    const resource = partWith(parts, offset);
    return resource && (partWith(resource.elements, offset) ?? resource);
  };
}

/** The objects in lists, and the blocks, in the order of the text. */
function elementsOf({ children }: TextNode): readonly TextSpan[] {
  return children
    .filter(({ name }) => lists.includes(name?.text ?? ""))
    .flatMap((node) => (node.kind === "array" ? node.children : [node]))
    .map((node) => spanOf(node, node.end));
}

function spanOf({ name, start }: TextNode, end: number): TextSpan {
  const offset = name?.start ?? start;
  return { offset, length: end - offset };
}

/** The one of ascending parts that has an offset, by bisection. */
function partWith<T extends TextSpan>(parts: readonly T[], offset: number): T | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((parts[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const found = parts[low - 1];
  return found && offset < found.offset + found.length ? found : undefined;
}
