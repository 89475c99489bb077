/** "What looks like us?": the queries of an account, and the names and pictures that match the chosen one. */

import { useEffect } from "preact/hooks";
import { accountId } from "../overview.ts";
import { WorldCommand } from "../parts/world-command.tsx";
import { brand, brandError, chosenQuery, followBrand } from "./brand-state.ts";
import { MatchesPanel } from "./matches-panel.tsx";
import { QueriesPanel } from "./queries-panel.tsx";

/** The screen. */
export function BrandScreen() {
  useEffect(followBrand, []);
  return (
    <div class="two-panes narrow-first">
      <div class="pane">
        <QueriesPanel />
        {brandError.value !== undefined && (
          <p class="note error" role="alert">
            {brandError.value}
          </p>
        )}
      </div>
      <div class="pane">{chosenQuery.value ? <MatchesPanel query={chosenQuery.value} /> : <NoQueries />}</div>
    </div>
  );
}

function NoQueries() {
  if (brandError.value !== undefined) return null;
  if (accountId.value !== "" && brand.value === undefined) return <p class="quiet pad">Loading…</p>;
  return (
    <section class="panel" aria-labelledby="none-title">
      <h2 id="none-title">Nothing to look for yet</h2>
      <p>
        The account has no queries. A world file lists them at <code>accounts[].brand.queries</code> and{" "}
        <code>accounts[].brand.logo_queries</code>:
      </p>
      <pre>
        <WorldCommand />
      </pre>
    </section>
  );
}
