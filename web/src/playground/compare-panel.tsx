/** Compares an earlier version of the rules with those on the page: equivalent, or a request that shows the difference. */
import { ComparisonNote, type ComparisonWords } from "../requests/drafts/comparison-note.tsx";
import { before, compareNow, comparison, rules } from "./state.ts";

const words: ComparisonWords = {
  equivalent: "The two versions are equivalent: no request is treated differently.",
  undecided: "It is not known whether the two versions act differently",
  different: "A request that the two versions treat differently",
  saved: "in the earlier version",
  draft: "in the rules above",
};

/** The panel. */
export function ComparePanel() {
  const now = comparison.state.value;
  const isRunning = now !== undefined && "stop" in now;
  return (
    <section class="panel later" aria-labelledby="compare-title">
      <h2 id="compare-title">Compare two versions</h2>
      <label class="field">
        <span>The earlier version</span>
        <textarea
          rows={5}
          spellcheck={false}
          autocomplete="off"
          value={before.value}
          onInput={(event) => {
            before.value = event.currentTarget.value;
          }}
        />
      </label>
      <div class="row">
        <button type="button" disabled={isRunning || before.value === ""} onClick={() => void compareNow()}>
          Compare
        </button>
        {isRunning && (
          <button type="button" onClick={comparison.stop}>
            Stop
          </button>
        )}
        <button
          type="button"
          class="plain"
          onClick={() => {
            before.value = rules.value;
          }}
        >
          Keep the rules above as the earlier version
        </button>
      </div>
      <div role="status" class="note">
        {isRunning && <p>Comparing all requests…</p>}
        {now && "message" in now && <p>{now.message}</p>}
        {now && "found" in now && <ComparisonNote comparison={now.found} words={words} />}
      </div>
    </section>
  );
}
