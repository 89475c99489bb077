/** The tree of an expression with the value of every part. */
import type { PartView } from "../../../../src/workbench/messages.ts";
import { wordOf } from "./rule-text.tsx";
import { Titled } from "./titles.tsx";

interface Props {
  readonly tree?: PartView;
  /** Whether the rule decided: then the tree is open at first. */
  readonly isDecider: boolean;
}

/** The tree; nothing for an expression of one part. */
export function ExplainTree({ tree, isDecider }: Props) {
  if (tree === undefined || tree.operands.length === 0) return null;
  return (
    <details class="explain" open={isDecider}>
      <summary>Explain</summary>
      <ul class="tree">
        <Part part={tree} />
      </ul>
    </details>
  );
}

function Part({ part }: { readonly part: PartView }) {
  const tone = part.value === null ? "unknown" : String(part.value);
  return (
    <li>
      <span class={`leaf ${tone}`}>
        <code>
          <Titled text={part.text} />
        </code>
        <span class="leaf-value">{wordOf(part)}</span>
      </span>
      {part.operands.length > 0 && (
        <ul>
          {part.operands.map((operand, i) => (
            <Part key={i} part={operand} />
          ))}
        </ul>
      )}
    </li>
  );
}
