/** A name that a query found: its marked part, its other form, and how it was found. */
import type { NameMatchView } from "../../../src/workbench/brand-messages.ts";
import { DismissButton } from "./dismiss-button.tsx";
import { FoundFacts, Marked } from "./marked-name.tsx";

/** The item. */
export function NameItem({ match }: { readonly match: NameMatchView }) {
  const { ascii, unicode, found, registrar, firstSeenMs, isDismissed, isRecomputed } = match;
  return (
    <li class={isDismissed ? "match dismissed" : "match"}>
      <div class="match-head">
        <Marked name={unicode ?? ascii} />
        <DismissButton match={match} name={ascii.text} />
      </div>
      {unicode && (
        <p class="other-form">
          ASCII <Marked name={ascii} />
        </p>
      )}
      <p class="facts">
        {isDismissed && <span class="chip">dismissed</span>}
        {found ? (
          <>
            <FoundFacts found={found} />
            {isRecomputed && <span class="chip warn">computed for this list</span>}
          </>
        ) : (
          <span class="chip warn">the query does not find it with its present options</span>
        )}
        <span>{registrar === "" ? "registrar unknown" : registrar}</span>
        <span>seen {dayOf(firstSeenMs)}</span>
      </p>
    </li>
  );
}

/** A day, as in 2026-01-31. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
