/** The tree of an expression with the value of every part. */
import { useState } from "preact/hooks";
import type { RuleVerdict } from "../../../../src/workbench/messages.ts";
import type { ExplainNode } from "./explain-nodes.ts";
import { wordOf } from "./rule-text.tsx";
import { Titled } from "./titles.tsx";

type State = {
  readonly explain?: (of: RuleVerdict) => ExplainNode | undefined;
  readonly isMissing?: boolean;
};

/** The tree, closed at first. */
export function ExplainTree({ rule }: { readonly rule: RuleVerdict }) {
  const [{ explain, isMissing = false }, setState] = useState<State>({});
  if (rule.leaves.length < 2) return null;
  const load = () =>
    import("./explain-rule.ts").then(
      ({ explainRule }) => setState({ explain: explainRule }),
      () => setState({ isMissing: true }),
    );
  const node = explain?.(rule);
  return (
    <details class="explain" onToggle={() => void load()}>
      <summary>Explain</summary>
      {isMissing && <p class="note error">A file of the page did not arrive.</p>}
      {node && (
        <ul class="tree">
          <Node node={node} />
        </ul>
      )}
    </details>
  );
}

function Node({ node }: { readonly node: ExplainNode }) {
  const tone = node.value === null ? "unknown" : String(node.value);
  return (
    <li>
      <span class={`leaf ${tone}`}>
        <code>
          <Titled text={node.text} />
        </code>
        <span class="leaf-value">{wordOf(node)}</span>
      </span>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child, i) => (
            <Node key={i} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
}
