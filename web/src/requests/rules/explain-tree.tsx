/** The tree of an expression with the value of every part. */
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import type { RuleVerdict } from "../../../../src/workbench/messages.ts";
import { type ExplainNode, explainNodes } from "./explain-nodes.ts";
import { wordOf } from "./rule-text.tsx";
import { Titled } from "./titles.tsx";

/** The tree, closed at first. */
export function ExplainTree({ rule }: { readonly rule: RuleVerdict }) {
  const parsed = parseExpression(rule.expression);
  if (!parsed.ok || rule.leaves.length < 2) return null;
  return (
    <details class="explain">
      <summary>Explain</summary>
      <ul class="tree">
        <Node node={explainNodes(parsed.value, rule.leaves)} />
      </ul>
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
