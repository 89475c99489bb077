/** The effect of a draft: nothing, or a request that is treated differently. */
import type { ComparisonView, PlainRequest } from "../../../../src/workbench/messages.ts";
import { Scroller } from "../../parts/scroller.tsx";
import { setRequest } from "../request-state.ts";

/** The note. */
export function ComparisonNote({ comparison }: { readonly comparison: ComparisonView }) {
  const { result, reason, request, saved, draft, tokens = [] } = comparison;
  if (result === "equivalent")
    return <p class="note">The draft changes no verdict: it is equivalent to the saved rule.</p>;
  if (result === "undecided" || request === undefined)
    return <p class="note">It is not known whether the draft changes a verdict: {reason}.</p>;
  return (
    <div class="note counterexample">
      <p>
        A request that the draft treats differently: <strong>{saved}</strong> now, <strong>{draft}</strong>{" "}
        with the draft.
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
