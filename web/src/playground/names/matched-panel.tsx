/** The names that were found, what the patterns were searched as, and the lines that are not names. */
import type { FoundName, LineMessage, NamesFound } from "../../../../src/workbench/names-messages.ts";
import { FoundFacts, Marked } from "../../brand/marked-name.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { matching, matchNow, question, stopWork } from "./names-state.ts";

/** The panel. */
export function MatchedPanel() {
  const now = matching.value;
  const isRunning = now !== undefined && "stop" in now;
  const isEmpty = question.value.patterns.trim() === "" || question.value.names.trim() === "";
  return (
    <section class="panel" aria-labelledby="matched-title">
      <h2 id="matched-title">Names that look like the patterns</h2>
      <div class="row">
        <button type="button" disabled={isRunning || isEmpty} onClick={() => void matchNow()}>
          Compare the names
        </button>
        {isRunning && (
          <button type="button" onClick={() => stopWork(now)}>
            Stop
          </button>
        )}
      </div>
      <div role="status">
        {isEmpty && <p class="quiet">Write patterns and names, or begin with the example.</p>}
        {isRunning && <p class="quiet">Comparing…</p>}
        {now && "message" in now && <p class="note error">{visibleText(now.message)}</p>}
        {now && "found" in now && <p>{summary(now.found)}</p>}
      </div>
      {now && "found" in now && <Found found={now.found} />}
    </section>
  );
}

function summary({ names, named, total, matches }: NamesFound): string {
  const found = `${named} of ${names} ${names === 1 ? "name" : "names"} found`;
  return total > matches.length ? `${found}; the first ${matches.length} of ${total} matches` : found;
}

function Found({ found }: { readonly found: NamesFound }) {
  const { notes, rules, matches, invalid, invalidTotal } = found;
  return (
    <>
      <Notes title="Patterns" notes={notes} />
      <ul class="matches">
        {matches.map((match) => (
          <MatchItem key={`${match.line} ${match.found.pattern}`} match={match} />
        ))}
      </ul>
      <Notes
        title={invalidTotal === 1 ? "1 line is not a name" : `${invalidTotal} lines are not names`}
        notes={invalid}
      />
      <details>
        <summary>{rules.length === 1 ? "The rule" : `The ${rules.length} rules`} of the comparison</summary>
        <ul class="tree">
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

function MatchItem({ match }: { readonly match: FoundName }) {
  const { line, name, normalized, found, where, compared } = match;
  return (
    <li class="match">
      <div class="match-head">
        <Marked name={name} />
        <span class="quiet">line {line}</span>
      </div>
      {normalized && (
        <p class="other-form">
          compared as <Marked name={normalized} />
        </p>
      )}
      <p class="facts">
        <FoundFacts found={found} />
        <span>{where}</span>
        {compared !== undefined && <span>{compared}</span>}
      </p>
    </li>
  );
}

function Notes({ title, notes }: { readonly title: string; readonly notes: readonly LineMessage[] }) {
  if (notes.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="findings">
        {notes.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: <bdi>{visibleText(message)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
