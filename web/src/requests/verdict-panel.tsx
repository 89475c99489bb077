/** The reason of the verdict, the tokens, and texts to copy. */
import type { CustomPartView, EvaluationView, VerdictView } from "../../../src/workbench/messages.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { askForNeeds } from "./custom-inputs.tsx";
import { actionWords } from "./decision-bar.tsx";
import { evaluation, evaluationError, form, recorded, shownVerdict } from "./request-state.ts";
import { Titled } from "./rules/titles.tsx";
import { TokenCard } from "./token-card.tsx";

/** The panel. */
export function VerdictPanel() {
  const shown = shownVerdict.value;
  return (
    <section class="panel verdict" aria-labelledby="reason-title" aria-live="polite">
      <h2 id="reason-title" class="visually-hidden">
        Reason
      </h2>
      {recorded.value && <RecordedNote title={recorded.value.title} />}
      {shown ? <Shown verdict={shown} /> : <NotShown />}
    </section>
  );
}

function RecordedNote({ title }: { readonly title: string }) {
  return (
    <p class="note row">
      <span>
        Recorded: <code>{title}</code>
      </span>
      <button
        type="button"
        class="plain"
        onClick={() => {
          recorded.value = undefined;
        }}
      >
        Back to the request
      </button>
    </p>
  );
}

function NotShown() {
  if (evaluationError.value !== undefined && form.value.url !== "")
    return (
      <p class="note error" role="alert">
        {evaluationError.value}
      </p>
    );
  return <p class="quiet">Paste a request on this page, or choose a sample.</p>;
}

function Shown({ verdict }: { readonly verdict: VerdictView }) {
  const nowMs = evaluation.value?.nowMs ?? Date.now();
  return (
    <>
      <p class="because">
        <Titled text={verdict.because} />
      </p>
      <p class="quiet">
        {verdict.operation === undefined ? (
          "Operation: none"
        ) : (
          <>
            Operation: <code>{verdict.operation}</code>
          </>
        )}
      </p>
      {verdict.custom && <CustomPart custom={verdict.custom} />}
      {verdict.tokens.map((token) => (
        <TokenCard key={token.configId} token={token} nowMs={nowMs} />
      ))}
      {!recorded.value && evaluation.value && <Copying evaluation={evaluation.value} />}
    </>
  );
}

/** The decision of the custom rules, or the values that they need for it. */
function CustomPart({ custom: { action, response, needs, rules } }: { readonly custom: CustomPartView }) {
  const isMatched = action !== "allow" || rules.some(({ result }) => result === "matched");
  const lists = needs.filter((name) => name.startsWith("$"));
  const fields = needs.filter((name) => !name.startsWith("$"));
  return (
    <p class="quiet">
      Custom rules: {isMatched ? actionWords[action].toLowerCase() : "none matches"}
      {response !== undefined && ` with ${response}`}
      {lists.length > 0 && `; needs ${lists.join(", ")} among the lists of the account`}
      {fields.length > 0 && (
        <button type="button" class="plain small needs" onClick={askForNeeds}>
          Say {fields.join(", ")}
        </button>
      )}
    </p>
  );
}

function Copying({ evaluation: { copies } }: { readonly evaluation: EvaluationView }) {
  return (
    <fieldset class="row copying">
      <legend>Copy as</legend>
      <CopyButton label="Test" what="vitest test" text={copies.test} />
      <CopyButton label="curl" what="curl command" text={copies.curl} />
      <CopyButton label="CLI" what="command line of edgeproof" text={copies.cli} />
    </fieldset>
  );
}
