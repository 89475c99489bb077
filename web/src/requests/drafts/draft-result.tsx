/** The effect of a draft: problems, findings of the analysis, the verdict, and a request that is treated differently. */
import type { DraftView, LeafView } from "../../../../src/workbench/messages.ts";
import { verdictWord } from "../decision-bar.tsx";
import { RuleText } from "../rules/rule-text.tsx";
import { Titled } from "../rules/titles.tsx";
import { ComparisonNote } from "./comparison-note.tsx";

interface Props {
  readonly draft: DraftView;
  readonly isChanged: boolean;
  readonly expression: string;
  /** The parts of the expression in the verdict of the draft. */
  readonly leaves: readonly LeafView[];
}

/** The result. */
export function DraftResult({ draft, isChanged, expression, leaves }: Props) {
  const { problems, findings, verdict, comparison } = draft;
  return (
    <div class="draft-result">
      {problems.map(({ message }) => (
        <p key={message} class="note error">
          {message}
        </p>
      ))}
      {findings.map(({ rule: id, level, message }) => (
        <p key={id + message} class={`note finding-${level}`}>
          <span class="chip">{level}</span> {message}
        </p>
      ))}
      {isChanged && verdict && (
        <p>
          With the draft:{" "}
          <strong class={`word-small ${verdictWord(verdict).tone}`}>{verdictWord(verdict).word}</strong>.{" "}
          <Titled text={verdict.because} />
        </p>
      )}
      {isChanged && leaves.length > 0 && <RuleText expression={expression} leaves={leaves} />}
      {isChanged && comparison && <ComparisonNote comparison={comparison} />}
      {!isChanged && findings.length === 0 && problems.length === 0 && (
        <p class="quiet">The analysis has no findings about this rule.</p>
      )}
    </div>
  );
}
