/** The effect of a draft: nothing, or a request that is treated differently. */
import type { ComparisonView, PlainRequest } from "../../../../src/workbench/messages.ts";
import { Scroller } from "../../parts/scroller.tsx";
import { setRequest } from "../request-state.ts";

/** The names of the two sides of a comparison. */
export interface ComparisonWords {
  /** A sentence. */
  readonly equivalent: string;
  /** The start of a sentence, which ends with the reason. */
  readonly undecided: string;
  /** The start of a sentence, which ends with both actions. */
  readonly different: string;
  readonly saved: string;
  readonly draft: string;
}

const draftWords: ComparisonWords = {
  equivalent: "The draft changes no verdict: it is equivalent to the saved rule.",
  undecided: "It is not known whether the draft changes a verdict",
  different: "A request that the draft treats differently",
  saved: "now",
  draft: "with the draft",
};

interface Props {
  readonly comparison: ComparisonView;
  /** Default: those of a draft of a rule. */
  readonly words?: ComparisonWords;
}

/** The note. */
export function ComparisonNote({ comparison, words = draftWords }: Props) {
  const { result, reason, request, saved, draft, tokens = [] } = comparison;
  if (result === "equivalent") return <p class="note">{words.equivalent}</p>;
  if (result === "undecided" || request === undefined)
    return (
      <p class="note">
        {words.undecided}: {reason}.
      </p>
    );
  return (
    <div class="note counterexample">
      <p>
        {words.different}: <strong>{saved}</strong> {words.saved}, <strong>{draft}</strong> {words.draft}.
      </p>
      <Scroller label="Counterexample">
        <pre>
          <code>{linesOf(request).join("\n")}</code>
        </pre>
      </Scroller>
      {tokens.length > 0 && (
        <p class="quiet">{tokens.map(({ title, state }) => `${title}: ${state}`).join(", ")}</p>
      )}
      <button type="button" class="plain" onClick={() => setRequest(request)}>
        Use this request
      </button>
    </div>
  );
}

/** The request, and below it what only custom rules read. */
function linesOf({
  method,
  url,
  headers,
  ip,
  challengePassed,
  fields = {},
  body,
}: PlainRequest): readonly string[] {
  return [
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(ip === undefined ? [] : [`ip = ${ip}`]),
    ...Object.entries(fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ...(challengePassed ? ["The client has passed a challenge."] : []),
    ...(body === undefined ? [] : ["", body]),
  ];
}
