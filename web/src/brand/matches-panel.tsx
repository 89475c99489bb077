/** The matches of a query: how many, the filters, and the list. */
import type { Page } from "../../../src/workbench/brand-messages.ts";
import { showView } from "../view-state.ts";
import {
  announcement,
  type ChosenQuery,
  hasMore,
  isListed,
  isShowingDismissed,
  loadMatches,
  logoMatches,
  type MatchView,
  minScore,
  movedScore,
  nameMatches,
} from "./brand-state.ts";
import { LogoCard, LogoOfQuery } from "./logo-card.tsx";
import { NameItem } from "./name-item.tsx";

/** The panel. */
export function MatchesPanel({ query }: { readonly query: ChosenQuery }) {
  const page: Page<MatchView> | undefined = query.kind === "names" ? nameMatches.value : logoMatches.value;
  return (
    <section class="panel" aria-labelledby="matches-title">
      <h2 id="matches-title">{query.tag}</h2>
      {query.kind === "logos" && <LogoOfQuery query={query} />}
      <Filters query={query} />
      <p class="visually-hidden" role="status">
        {announcement.value}
      </p>
      {page === undefined ? <p class="quiet">Loading…</p> : <Matches query={query} page={page} />}
    </section>
  );
}

/** Scores are shown and chosen in hundredths. */
const step = 0.01;

function Filters({ query }: { readonly query: ChosenQuery }) {
  const lowest = Math.floor(query.threshold / step) * step;
  const shown = minScore.value.toFixed(2);
  return (
    <div class="filters">
      <label class="grow">
        <span>Minimum score {shown}</span>
        <input
          type="range"
          min={lowest.toFixed(2)}
          max="1"
          step={step}
          value={shown}
          aria-valuetext={shown}
          onInput={(event) => {
            movedScore.value = Number(event.currentTarget.value);
          }}
          onChange={(event) => {
            const { value } = event.currentTarget;
            movedScore.value = undefined;
            showView({ min: Number(value) <= query.threshold ? "" : value });
          }}
        />
      </label>
      <label class="inline">
        <input
          type="checkbox"
          checked={isShowingDismissed.value}
          onChange={(event) => showView({ dismissed: event.currentTarget.checked ? "show" : "" })}
        />
        <span>Show dismissed</span>
      </label>
    </div>
  );
}

interface MatchesProps {
  readonly query: ChosenQuery;
  readonly page: Page<MatchView>;
}

function Matches({ query, page }: MatchesProps) {
  const shown = page.matches.filter(isListed);
  return (
    <>
      <p class="quiet" role="status">
        {page.total === 0
          ? "No matches. Names and pictures are compared when they are observed, and when a query is created."
          : `${shown.length} of ${page.total} ${page.total === 1 ? "match" : "matches"}`}
      </p>
      <ul class={query.kind === "logos" ? "logo-grid" : "matches"}>
        {shown.map((match) =>
          "ascii" in match ? (
            <NameItem key={match.id} match={match} />
          ) : (
            <LogoCard key={match.id} match={match} query={query} />
          ),
        )}
      </ul>
      {hasMore(page) && (
        <div class="row">
          <button type="button" class="plain" onClick={() => void loadMatches(true)}>
            Show more matches
          </button>
        </div>
      )}
    </>
  );
}
