/** Applications: the text of one with every code at its place, its fix, and what could not be checked. */
import { computed, effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AppCheck, AppView } from "../../../src/workbench/messages.ts";
import { messageOf, readData, sendData } from "../data.ts";
import { overview, zoneId } from "../overview.ts";
import { tabSignal } from "../tab-storage.ts";
import { showView, view } from "../view-state.ts";
import { AnnotatedText } from "./annotated-text.tsx";
import { AppFindings } from "./app-findings.tsx";

const apps = signal<readonly AppView[] | undefined>(undefined);
const text = tabSignal("app-text", "");
const checked = signal<{ readonly text: string; readonly check: AppCheck } | undefined>(undefined);
const failure = signal<string | undefined>(undefined);
const state = signal("");

/** An application that the chosen zone accepts: its host name is in the domain of the zone. */
const example = computed(() => {
  const domain = overview.value?.zones.find(({ id }) => id === zoneId.value)?.name ?? "example.com";
  const app = {
    protocol: "tcp/22",
    dns: { type: "CNAME", name: `ssh.${domain}` },
    origin_direct: ["tcp://192.0.2.1:22"],
  };
  return JSON.stringify(app, null, 2);
});

async function load(): Promise<void> {
  try {
    apps.value = await readData<readonly AppView[]>("apps", { zone: zoneId.value });
    failure.value = undefined;
  } catch (error) {
    apps.value = undefined;
    failure.value = messageOf(error);
  }
}

/** Shows a stored application, or with an empty id a new one. */
function choose(id: string): void {
  state.value = "";
  text.value = apps.value?.find((app) => app.id === id)?.text ?? example.value;
  showView({ app: id }, true);
}

let latest = 0;

async function checkNow(): Promise<void> {
  const own = ++latest;
  const sent = text.value;
  if (sent.trim() === "") {
    checked.value = undefined;
    return;
  }
  try {
    const check = await sendData<AppCheck>("app/check", {
      zone: zoneId.value,
      id: view.value["app"] ?? "",
      text: sent,
    });
    if (own === latest) checked.value = { text: sent, check };
    failure.value = undefined;
  } catch (error) {
    if (own === latest) failure.value = messageOf(error);
  }
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

/** Delay after the last key, in milliseconds. */
const typingMs = 250;

function follow(): () => void {
  const ends = [
    effect(() => {
      if (zoneId.value !== "") void load();
    }),
    effect(() => {
      void text.value;
      void view.value["app"];
      const timer = setTimeout(() => void checkNow(), typingMs);
      return () => clearTimeout(timer);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The screen. */
export function AppsScreen() {
  useEffect(follow, []);
  const field = useRef<HTMLTextAreaElement>(null);
  const select = (start: number, end: number) => {
    field.current?.focus();
    field.current?.setSelectionRange(start, end);
  };
  const shown = checked.value?.text === text.value ? checked.value.check : undefined;
  const isRejected =
    shown === undefined || shown.fault !== undefined || shown.findings.some(({ level }) => level === "error");
  return (
    <div class="two-panes">
      <div class="pane">
        <AppList />
        <section class="panel" aria-labelledby="app-title">
          <h2 id="app-title">{view.value["app"] ? "Change the application" : "New application"}</h2>
          <label class="field">
            <span>Application as JSON, comments allowed</span>
            <textarea
              ref={field}
              rows={16}
              spellcheck={false}
              autocomplete="off"
              placeholder={example.value}
              value={text.value}
              onInput={(event) => {
                state.value = "";
                text.value = event.currentTarget.value;
              }}
            />
          </label>
          <div class="row">
            <button type="button" disabled={isRejected} onClick={() => void save()}>
              Save the application
            </button>
            <span role="status" class="hint">
              {state.value}
            </span>
          </div>
          {failure.value !== undefined && (
            <p class="note error" role="alert">
              {failure.value}
            </p>
          )}
        </section>
      </div>
      <div class="pane">
        <AppFindings check={shown} select={select} />
        {shown && shown.findings.length > 0 && (
          <section class="panel" aria-labelledby="places-title">
            <h2 id="places-title">Each code at its place</h2>
            <AnnotatedText text={text.value} findings={shown.findings} />
          </section>
        )}
        {shown?.fixed !== undefined && <FixPreview fixed={shown.fixed} />}
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

function FixPreview({ fixed }: { readonly fixed: string }) {
  return (
    <section class="panel" aria-labelledby="fix-title">
      <h2 id="fix-title">With every unambiguous fix</h2>
      <AnnotatedText text={fixed} before={text.value} findings={[]} />
      <div class="row">
        <button
          type="button"
          onClick={() => {
            text.value = fixed;
          }}
        >
          Apply the fix
        </button>
      </div>
    </section>
  );
}
