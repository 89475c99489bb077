/** The log of the running server, or of a recorded run: newest first, each verdict to open. */
import { useEffect } from "preact/hooks";
import { overview } from "../overview.ts";
import { VerdictChip } from "../requests/decision-bar.tsx";
import { recorded } from "../requests/request-state.ts";
import { showView, view } from "../view-state.ts";
import { followLog, isConnected, type LoggedEntry, logEntries } from "./log-client.ts";

const filters = {
  all: "All",
  verdicts: "Verdicts",
  blocked: "Blocked and logged",
  failed: "Failed requests",
} as const;

let isFollowing = false;

/** The panel. */
export function LogPanel() {
  useEffect(() => {
    if (!isFollowing) void followLog();
    isFollowing = true;
  }, []);
  const filter = view.value["log"] ?? "all";
  const shown = logEntries.value.filter((entry) => isShown(entry, filter)).toReversed();
  const { run, isServing = false } = overview.value ?? {};
  return (
    <section class="panel log" aria-labelledby="log-title">
      <div class="row">
        <h2 id="log-title">{run === undefined ? "Log" : `Recorded run: ${run}`}</h2>
        <label class="inline">
          <span>Show</span>
          <select
            value={filter}
            onChange={(event) =>
              showView({ log: event.currentTarget.value === "all" ? "" : event.currentTarget.value })
            }
          >
            {Object.entries(filters).map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {!isConnected.value && (
        <p class="note error" role="status">
          The server does not answer; trying again.
        </p>
      )}
      {shown.length === 0 ? (
        <EmptyLog isServing={isServing || run !== undefined} />
      ) : (
        <ol class="entries" aria-label="Entries, newest first">
          {shown.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

function EmptyLog({ isServing }: { readonly isServing: boolean }) {
  if (isServing) return <p class="quiet">No entries yet.</p>;
  return (
    <p class="quiet">
      Nothing writes to this log. A server with this page shows its requests here:{" "}
      <code>edgeproof serve --workbench</code>
    </p>
  );
}

function isShown(entry: LoggedEntry, filter: string): boolean {
  if (filter === "verdicts") return entry.kind === "verdict";
  if (filter === "blocked") return entry.kind === "verdict" && entry.verdict.action !== "allow";
  if (filter === "failed") return entry.kind === "answer" && (entry.status ?? 500) >= 400;
  return true;
}

function Entry({ entry }: { readonly entry: LoggedEntry }) {
  const time = new Date(entry.atMs).toISOString().slice(11, 19);
  if (entry.kind === "answer") {
    const tone = (entry.status ?? 500) >= 400 ? "bad" : "good";
    return (
      <li class="entry">
        <span class="quiet time">{time}</span>
        <span class={`chip ${tone}`}>{entry.status ?? "ended"}</span>
        <code>
          {entry.method} {entry.path}
        </code>
      </li>
    );
  }
  const { verdict, method, path, zone } = entry;
  return (
    <li class="entry">
      <button
        type="button"
        class="entry-button"
        onClick={() => {
          showView({ zone });
          recorded.value = { title: `${method} ${path}`, verdict };
          document.getElementById("verdict-title")?.scrollIntoView({ block: "nearest" });
        }}
      >
        <span class="quiet time">{time}</span>
        <VerdictChip {...verdict} />
        <code>
          {method} {path}
        </code>
      </button>
    </li>
  );
}
