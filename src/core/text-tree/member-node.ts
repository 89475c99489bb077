/** Finds the values of a block of Terraform by pointers as plans have them, where repeated blocks are lists. */
import { groupBy } from "../groups.ts";
import { pointerSegments } from "../json-pointer.ts";
import type { TextNode } from "./node.ts";

/** Finds the innermost value that a text has at an RFC 6901 pointer into a block: the block itself for an empty one. */
export type FindMember = (block: TextNode, pointer: string) => TextNode;

/** A list of many blocks is searched once for all pointers into it. */
export function createMemberFinder(): FindMember {
  const known = new WeakMap<TextNode, ReadonlyMap<string, readonly TextNode[]>>();
  const membersOf = (node: TextNode): ReadonlyMap<string, readonly TextNode[]> => {
    const found = known.get(node) ?? membersByName(node);
    known.set(node, found);
    return found;
  };
  return (block, pointer) => {
    let at = block;
    const steps = pointerSegments(pointer);
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i] ?? "";
      if (at.kind === "array") {
        const element = at.isPart ? undefined : at.children[Number(step)];
        if (!element) return at;
        at = element;
        continue;
      }
      const members = membersOf(at);
      const found = members.get(step);
      const [first] = found ?? [];
      // The number of blocks that it makes is not known.
      const dynamic = members.get("dynamic")?.find((node) => membersOf(node).has(step));
      if (dynamic || !first) return dynamic ?? at;
      const next = first.isBlock ? found?.[Number(steps[++i] ?? 0)] : first;
      if (!next) return at;
      at = next;
    }
    return at;
  };
}

function membersByName({ kind, children }: TextNode): ReadonlyMap<string, readonly TextNode[]> {
  return groupBy(kind === "object" ? children : [], ({ name }) => name?.text ?? "");
}

/** The offsets of a member of a block; of the block, those of its keyword at the top of the text. */
export function rangeIn(
  find: FindMember,
  { root, body }: { readonly root: TextNode; readonly body: TextNode },
  pointer: string,
): { readonly start: number; readonly end?: number } {
  const found = pointer === "" ? body : find(body, pointer);
  return found === body ? { start: root.name?.start ?? root.start } : rangeOf(found);
}

/** The name and the value, or a block up to its bracket; of an element, the value. */
function rangeOf({ name, start, end, kind, isBlock, children }: TextNode): {
  readonly start: number;
  readonly end: number;
} {
  const from = name?.start ?? start;
  // A whole block would be many lines: what is said about it is at its beginning.
  const isLong = isBlock || (kind !== "string" && children.length > 0);
  return { start: from, end: isLong ? start + 1 : end };
}
