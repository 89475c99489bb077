/** A name with the part that a pattern was found in, and how it was found. */
import type { FoundPattern, MarkedName } from "../../../src/workbench/brand-messages.ts";
import { visibleText } from "../parts/visible-text.ts";

/** Isolated, so that letters of other directions do not reorder the text around them. */
export function Marked({ name: { text, start, end } }: { readonly name: MarkedName }) {
  return (
    <bdi class="name">
      {visibleText(text.slice(0, start))}
      {end > start && <mark>{visibleText(text.slice(start, end))}</mark>}
      {visibleText(text.slice(end))}
    </bdi>
  );
}

/** Technique, score and distance. */
export function FoundFacts({
  found: { technique, score, edits, pattern },
}: {
  readonly found: FoundPattern;
}) {
  return (
    <>
      <span class="chip strong">{technique}</span>
      <span>
        score <strong>{score.toFixed(2)}</strong>
      </span>
      <span>
        {edits === 0 ? "contains" : `${edits} ${edits === 1 ? "edit" : "edits"} from`}{" "}
        <code>{visibleText(pattern)}</code>
      </span>
    </>
  );
}
