/** The frame of the page: name, navigation, the chosen zone or account, and one screen. */

import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { overview, overviewError } from "./overview.ts";
import { Icon } from "./parts/icon.tsx";
import { WorldCommand } from "./parts/world-command.tsx";
import { ScopeChoice } from "./scope-choice.tsx";
import { type ScreenEntry, screens } from "./screens.ts";
import { sessionToken } from "./session.ts";
import { showView, view } from "./view-state.ts";

/** The whole page. */
export function App() {
  const current = screens.find(({ id }) => id === view.value["screen"]) ?? screens[0];
  useEffect(() => {
    document.title = `${current?.title ?? ""} · edgeproof workbench`;
  }, [current?.title]);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: the fragment of the address is kept for the token */}
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <header class="frame-head">
        <p class="brand">
          edgeproof <span>workbench</span>
        </p>
        <nav aria-label="Screens">
          {screens.map(({ id, title, icon }) => (
            <a
              key={id}
              href={`/?screen=${id}`}
              aria-current={id === current?.id ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                showView({ screen: id }, true);
              }}
            >
              <Icon name={icon} />
              {title}
            </a>
          ))}
        </nav>
        <ScopeChoice scope={current?.scope ?? "zone"} />
      </header>
      <main id="main" tabIndex={-1}>
        {sessionToken() === undefined ? (
          <NoToken />
        ) : (
          <>
            <p class="lead">{current?.lead}</p>
            <Content screen={current} />
          </>
        )}
      </main>
    </>
  );
}

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Content({ screen }: { readonly screen: ScreenEntry | undefined }) {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly Screen: FunctionComponent }>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    screen?.load().then(
      (Screen) => isCurrent && setLoaded({ id: screen.id, Screen }),
      () => isCurrent && setMissing(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [screen]);
  const error = isMissing ? "A file of the page did not arrive." : overviewError.value;
  if (error !== undefined) {
    return (
      <section class="empty" role="alert">
        <h1>The workbench cannot be reached</h1>
        <p>{error}</p>
      </section>
    );
  }
  const isLoading = overview.value === undefined || loaded === undefined || loaded.id !== screen?.id;
  return isLoading ? <p class="quiet pad">Loading…</p> : <loaded.Screen />;
}

function NoToken() {
  return (
    <section class="empty">
      <h1>This tab has no session</h1>
      <p>
        Open the address that the command printed; it ends with <code>#</code> and a token:
      </p>
      <pre>
        <WorldCommand />
      </pre>
    </section>
  );
}
