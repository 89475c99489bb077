/** Applications: the stored ones of a zone, and the text of one with every code at its place, its fix, and what could not be checked. */
import { computed, effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AppView } from "../../../src/workbench/messages.ts";
import { messageOf, readData, sendData } from "../data.ts";
import { overview, zoneId } from "../overview.ts";
import { tabSignal } from "../tab-storage.ts";
import { showView, view } from "../view-state.ts";
import { createAppChecker } from "./app-check.ts";
import { AppResult } from "./app-result.tsx";
import { AppTextField } from "./app-text-field.tsx";
import { exampleApp } from "./example-app.ts";

const apps = signal<readonly AppView[] | undefined>(undefined);
const text = tabSignal("app-text", "");
const state = signal("");

const checker = createAppChecker(() => ({
  zone: zoneId.value,
  id: view.value["app"] ?? "",
  text: text.value,
}));
const { failure } = checker;
/** Why the applications are not there; the check of a text, which clears its own failure, leaves it. */
const loadFailure = signal<string | undefined>(undefined);
const shownFailure = computed(() => loadFailure.value ?? failure.value);

const example = computed(() =>
  exampleApp(overview.value?.zones.find(({ id }) => id === zoneId.value)?.name ?? "example.com"),
);

async function load(): Promise<void> {
  try {
    apps.value = await readData<readonly AppView[]>("apps", { zone: zoneId.value });
    loadFailure.value = undefined;
  } catch (error) {
    apps.value = undefined;
    loadFailure.value = messageOf(error);
  }
}

/** Shows a stored application, or with an empty id a new one. */
function choose(id: string): void {
  state.value = "";
  text.value = apps.value?.find((app) => app.id === id)?.text ?? example.value;
  showView({ app: id }, true);
}

async function save(): Promise<void> {
  const id = view.value["app"] ?? "";
  const known = new Set(apps.value?.map((app) => app.id));
  try {
    apps.value = await sendData<readonly AppView[]>("app/save", { zone: zoneId.value, id, text: text.value });
    const created = apps.value.find((app) => !known.has(app.id));
    if (created) showView({ app: created.id });
    state.value = "Saved.";
    failure.value = undefined;
  } catch (error) {
    failure.value = messageOf(error);
  }
}

function follow(): () => void {
  const ends = [
    effect(() => {
      if (zoneId.value !== "") void load();
    }),
    checker.follow(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The screen. */
export function AppsScreen() {
  useEffect(follow, []);
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div class="two-panes">
      <div class="pane">
        <AppList />
        <section class="panel" aria-labelledby="app-title">
          <h2 id="app-title">{view.value["app"] ? "Change the application" : "New application"}</h2>
          <AppTextField
            text={text}
            placeholder={example.value}
            field={field}
            onType={() => {
              state.value = "";
            }}
          />
          <div class="row">
            <button type="button" disabled={!checker.isAccepted.value} onClick={() => void save()}>
              Save the application
            </button>
            <span role="status" class="hint">
              {state.value}
            </span>
          </div>
          {shownFailure.value !== undefined && (
            <p class="note error" role="alert">
              {shownFailure.value}
            </p>
          )}
        </section>
      </div>
      <div class="pane">
        <AppResult check={checker.shown.value} text={text} field={field} />
      </div>
    </div>
  );
}

function AppList() {
  const chosen = view.value["app"] ?? "";
  const list = apps.value ?? [];
  return (
    <section class="panel" aria-labelledby="apps-title">
      <h1 id="apps-title">Applications</h1>
      {list.length === 0 && (
        <p class="quiet">The zone has no applications. Write one below, or begin with the example.</p>
      )}
      <ul class="choices">
        {[{ id: "", name: "New application, from the example", protocol: "" }, ...list].map(
          ({ id, name, protocol }) => (
            <li key={id}>
              <button type="button" class="plain" aria-pressed={id === chosen} onClick={() => choose(id)}>
                {name} {protocol !== "" && <code>{protocol}</code>}
              </button>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
