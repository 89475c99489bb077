/** The tree of a text that may be broken: objects, arrays and strings with their places. All offsets are in UTF-16 code units. */
import type { Splice } from "../json/edits.ts";

/** A string in a text, with the place of each of its characters. */
export interface WrittenString {
  readonly value: string;
  /** Offset in the text of a code unit of the value; of its length, the end of the content. */
  readonly offsetOf: (index: number) => number;
  /** Whether the value is known. That of a template with parts in `${}` is not. */
  readonly isWhole: boolean;
  /** The replacement of the whole string by another value; undefined when its spelling cannot have it. */
  readonly edit: (value: string) => Splice | undefined;
}

/** The name of a member. */
export interface MemberName {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A value. */
export interface TextNode {
  readonly kind: "object" | "array" | "string" | "other";
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last character; the end of the text when it is not closed. */
  end: number;
  readonly parent?: TextNode;
  /** Its name, in an object. */
  readonly name?: MemberName;
  /** Its position among the children of its parent. */
  readonly index: number;
  readonly children: TextNode[];
  /** Reads a string; absent for other values. */
  readonly read?: () => WrittenString;
  /** In Terraform: whether it is a block, not the value of an attribute. */
  readonly isBlock?: boolean;
  /** In Terraform: whether the text has more of its expression than its children say, such as an index after it. */
  isPart?: boolean;
}

/** The tree of a text. */
export interface TextTree {
  readonly root?: TextNode;
  /** Whether the text has more values or levels than a tree has; the rest is left out. */
  readonly isCut: boolean;
  /** The first place that is not of its language, with a clause that says why; found by the reader of Terraform only. */
  readonly fault?: { readonly offset: number; readonly message: string };
}

/** Maximum number of values of a tree. `chosen` */
export const maxTreeNodes = 200_000;

/** Maximum number of levels of a tree. `chosen` */
export const maxTreeDepth = 200;

/** Adds values to a tree in the order of the text, without recursion and within the limits. */
export class TreeBuilder {
  root: TextNode | undefined;
  isCut = false;
  fault: TextTree["fault"];
  #count = 0;

  /** Adds a value, unless a limit is reached. */
  add(
    kind: TextNode["kind"],
    { start, end }: { readonly start: number; readonly end: number },
    at: {
      readonly parent?: TextNode | undefined;
      readonly name?: MemberName | undefined;
      readonly isBlock?: boolean;
    } = {},
    read?: () => WrittenString,
  ): TextNode | undefined {
    const { parent, name, isBlock = false } = at;
    if (this.#count >= maxTreeNodes) {
      this.isCut = true;
      return undefined;
    }
    this.#count++;
    const node: TextNode = {
      kind,
      start,
      end,
      index: parent?.children.length ?? 0,
      children: [],
      ...(parent && { parent }),
      ...(name && { name }),
      ...(read && { read: once(read) }),
      ...(isBlock && { isBlock }),
    };
    if (parent) parent.children.push(node);
    else this.root ??= node;
    return node;
  }

  /** Notes a fault; the first one counts. */
  note(offset: number, message: string): void {
    this.fault ??= { offset, message };
  }

  get tree(): TextTree {
    const { root, isCut, fault } = this;
    return { ...(root && { root }), isCut, ...(fault && { fault }) };
  }
}

function once(read: () => WrittenString): () => WrittenString {
  let known: WrittenString | undefined;
  return () => {
    known ??= read();
    return known;
  };
}

/** The member of an object with a name; of a repeated one the last. */
export function memberOf(node: TextNode | undefined, name: string): TextNode | undefined {
  return node?.kind === "object" ? node.children.findLast((child) => child.name?.text === name) : undefined;
}

/** The elements of the array at a path of members; none when there is no array. */
export function elementsOf(node: TextNode | undefined, ...names: readonly string[]): readonly TextNode[] {
  const found = names.reduce<TextNode | undefined>(memberOf, node);
  return found?.kind === "array" ? found.children : [];
}

/** The value of a member that is a string. */
export function stringOf(node: TextNode | undefined, name: string): string | undefined {
  return memberOf(node, name)?.read?.().value;
}

/** The innermost value or name of a member at an offset. */
export function nodeAt(
  tree: TextTree,
  offset: number,
): { readonly node?: TextNode; readonly isName: boolean } {
  let node = tree.root;
  for (;;) {
    const child: TextNode | undefined = node && childAt(node, offset);
    if (!child) return { ...(node && { node }), isName: false };
    if (child.name && offset <= child.name.end && offset < child.start) return { node: child, isName: true };
    node = child;
  }
}

/** By bisection: lists of rules are long. */
function childAt({ children }: TextNode, offset: number): TextNode | undefined {
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const child = children[middle];
    if (child && (child.name?.start ?? child.start) <= offset) low = middle + 1;
    else high = middle;
  }
  const child = children[low - 1];
  return child && offset <= child.end ? child : undefined;
}

/** The names and positions from the root to a value. */
export function pathOf(node: TextNode): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: TextNode | undefined = node; at?.parent; at = at.parent) path.push(at.name?.text ?? at.index);
  return path.reverse();
}

/** A value and all values in it, in the order of the text. */
export function* walk(root: TextNode | undefined): Generator<TextNode> {
  if (!root) return;
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) open.push(node.children[i] as TextNode);
  }
}
