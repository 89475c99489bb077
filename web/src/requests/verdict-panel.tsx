/** The verdict: the word first and largest, then the reason, the tokens, and texts to copy. */
import type { CustomRuleView, EvaluationView, VerdictView } from "../../../src/workbench/messages.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { evaluation, evaluationError, form, recorded } from "./request-state.ts";
import { TokenCard } from "./token-card.tsx";

/** The actions in words. */
export const actionWords = {
  allow: "Allowed",
  log: "Logged",
  block: "Blocked",
  challenge: "Challenged",
  undecided: "Undecided",
} as const;

/** The panel. */
export function VerdictPanel() {
  const shown = recorded.value?.verdict ?? evaluation.value?.verdict;
  return (
    <section class="panel verdict" aria-labelledby="verdict-title" aria-live="polite">
      <h2 id="verdict-title" class={shown ? `word ${shown.action}` : "word none"}>
        {shown ? actionWords[shown.action] : "No verdict yet"}
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
      <p class="because">{verdict.because}</p>
      <p class="quiet">
        {verdict.operation === undefined ? (
          "Operation: none"
        ) : (
          <>
            Operation: <code>{verdict.operation}</code>
          </>
        )}
      </p>
      {verdict.custom?.map((rule, i) => (
        <CustomRule key={`${i} ${rule.name}`} rule={rule} />
      ))}
      {verdict.tokens.map((token) => (
        <TokenCard key={token.configId} token={token} nowMs={nowMs} />
      ))}
      {!recorded.value && evaluation.value && <Copying evaluation={evaluation.value} />}
    </>
  );
}

/** A custom rule that matches or may match, with the parts of its expression. */
function CustomRule({ rule: { name, action, isDecider, value, leaves } }: { readonly rule: CustomRuleView }) {
  return (
    <details open={isDecider}>
      <summary>
        Custom rule “{name}” ({action}): {String(value ?? "unknown")}
        {isDecider && ", decides"}
      </summary>
      <ul>
        {leaves.map(({ text, value: own, found }, i) => (
          <li key={`${i} ${text}`}>
            <code>{text}</code> is {String(own ?? "unknown")}
            {found !== "" && (
              <>
                : <code>{found}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
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
