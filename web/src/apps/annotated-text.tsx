/** A text with line numbers: lines with findings are marked and followed by their codes, changed lines are marked as changed. */
import type { AppMark } from "../../../src/workbench/messages.ts";
import { Scroller } from "../parts/scroller.tsx";

interface Props {
  readonly text: string;
  readonly findings: readonly AppMark[];
  /** The text before a fix. */
  readonly before?: string;
}

/** The text. */
export function AnnotatedText({ text, findings, before }: Props) {
  const known = new Set(before?.split("\n"));
  return (
    <Scroller label={before === undefined ? "Text with codes" : "Text with the fix"}>
      <pre class="lines">
        {text.split("\n").map((line, i) => {
          const found = findings.filter(({ places }) => places.some((place) => place.line === i + 1));
          const isChanged = before !== undefined && !known.has(line);
          const tone = found.some(({ level }) => level === "error")
            ? "bad"
            : found.length > 0
              ? "warn"
              : isChanged
                ? "good"
                : "";
          return (
            <span key={i} class={`line ${tone}`}>
              <code>{line === "" ? " " : line}</code>
              {isChanged && <span class="leaf-value">changed</span>}
              {found.map(({ code, rule }) => (
                <span key={rule} class="chip">
                  {code}
                </span>
              ))}
            </span>
          );
        })}
      </pre>
    </Scroller>
  );
}
