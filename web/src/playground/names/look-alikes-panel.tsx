/** The look-alikes of a domain, which can become the list of names. */
import type { LookAlikesView } from "../../../../src/workbench/names-messages.ts";
import { Scroller } from "../../parts/scroller.tsx";
import { visibleText } from "../../parts/visible-text.ts";
import { domain, listing, listLookAlikes, stopWork, useLookAlikes } from "./names-state.ts";

/** The panel. */
export function LookAlikesPanel() {
  const now = listing.value;
  const isRunning = now !== undefined && "stop" in now;
  return (
    <section class="panel" aria-labelledby="look-alikes-title">
      <h2 id="look-alikes-title">Look-alikes of a domain</h2>
      <label class="field">
        <span>A domain of the brand</span>
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          value={domain.value}
          onInput={(event) => {
            domain.value = event.currentTarget.value;
          }}
        />
      </label>
      <div class="row">
        <button
          type="button"
          disabled={isRunning || domain.value.trim() === ""}
          onClick={() => void listLookAlikes()}
        >
          List look-alikes
        </button>
        {isRunning && (
          <button type="button" onClick={() => stopWork(now)}>
            Stop
          </button>
        )}
      </div>
      <div role="status">
        {now && "message" in now && <p class="note error">{visibleText(now.message)}</p>}
        {now && "found" in now && (
          <p>
            {now.found.hasMore ? "The first " : ""}
            {now.found.names.length} look-alikes
          </p>
        )}
      </div>
      {now && "found" in now && <Listed found={now.found} />}
    </section>
  );
}

/** Look-alikes that are shown; all of them become names. */
const maxShown = 200;

function Listed({ found }: { readonly found: LookAlikesView }) {
  return (
    <>
      <div class="row">
        <button type="button" class="plain" onClick={() => useLookAlikes(found)}>
          Compare all of them
        </button>
      </div>
      <div class="look-alikes">
        <Scroller label="Look-alikes">
          <ul class="findings">
            {found.names.slice(0, maxShown).map((name) => (
              <li key={name.domain}>
                <span class="chip">{name.technique}</span> <bdi class="name">{name.domain}</bdi>{" "}
                {name.unicode !== undefined && <bdi class="quiet">{visibleText(name.unicode)}</bdi>}
              </li>
            ))}
          </ul>
        </Scroller>
      </div>
    </>
  );
}
