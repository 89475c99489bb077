/** The expression of a rule with the value of each part beside its own text, and titles in place of the ids of configurations. */
import type { LeafView } from "../../../../src/workbench/messages.ts";
import { Titled } from "./titles.tsx";

interface Props {
  readonly expression: string;
  /** The parts with their values; none when the rule was not reached. */
  readonly leaves: readonly LeafView[];
}

/** The marked text. */
export function RuleText({ expression, leaves }: Props) {
  const pieces: { readonly text: string; readonly leaf?: LeafView }[] = [];
  let at = 0;
  for (const leaf of leaves) {
    pieces.push(
      { text: expression.slice(at, leaf.start) },
      { text: expression.slice(leaf.start, leaf.end), leaf },
    );
    at = leaf.end;
  }
  pieces.push({ text: expression.slice(at) });
  return (
    <p class="expression">
      <code>
        {pieces.map(({ text, leaf }, i) =>
          leaf ? (
            <span key={i} class={`leaf ${toneOf(leaf)}`}>
              <Titled text={text} />
              <span class="leaf-value">{wordOf(leaf)}</span>
            </span>
          ) : (
            <Titled key={i} text={text} />
          ),
        )}
      </code>
    </p>
  );
}

function toneOf({ value }: LeafView): string {
  return value === null ? "unknown" : value ? "true" : "false";
}

/** The value in words, with the reason, or the compared value. */
export function wordOf({ value, reason, found }: Pick<LeafView, "value" | "reason" | "found">): string {
  if (value === null) return reason ?? "not evaluated";
  const word = value ? "true" : "false";
  if (found !== undefined) return `${word}: ${found}`;
  return reason === undefined || reason === "valid" ? word : `${word}: ${reason.replaceAll("_", " ")}`;
}
