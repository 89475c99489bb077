/** The last requests: each can be put into the form again. */
import { showView } from "../../view-state.ts";
import { VerdictChip } from "../decision-bar.tsx";
import { setRequest } from "../request-state.ts";
import type { PastRequest } from "./history.ts";
import { pastRequests } from "./past-requests.ts";

/** The panel; nothing before the first verdict. */
export function HistoryPanel() {
  const past = pastRequests.value;
  if (past.length === 0) return null;
  return (
    <section class="panel history" aria-labelledby="history-title">
      <div class="row">
        <h2 id="history-title">Last requests</h2>
        <button
          type="button"
          class="plain small"
          onClick={() => {
            pastRequests.value = [];
          }}
        >
          Forget them
        </button>
      </div>
      <ol class="entries" aria-label="Last requests, newest first">
        {past.map((request) => (
          <Past key={`${request.atMs} ${request.request.url}`} past={request} />
        ))}
      </ol>
    </section>
  );
}

function Past({ past: { zone, request, atMs, ...verdict } }: { readonly past: PastRequest }) {
  const { pathname, search } = new URL(request.url);
  return (
    <li class="entry">
      <button
        type="button"
        class="entry-button"
        onClick={() => {
          showView({ zone });
          setRequest(request);
        }}
      >
        <span class="quiet time">{new Date(atMs).toISOString().slice(11, 19)}</span>
        <VerdictChip {...verdict} />
        <code>
          {request.method} {pathname + search}
        </code>
      </button>
    </li>
  );
}
