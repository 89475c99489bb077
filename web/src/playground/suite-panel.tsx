/** Generates a test suite of the zone, which notices every change of a rule, and saves it. */
import type { SuiteFile } from "../../../src/workbench/playground-messages.ts";
import { zoneId } from "../overview.ts";
import { saveFile } from "../parts/save-file.ts";
import { tabSignal } from "../tab-storage.ts";
import { suite } from "./state.ts";

const formats = {
  json: "Requests as JSON, for edgeproof eval and suite mutate",
  vitest: "A test file for vitest",
  jest: "A test file for jest",
  node: "A test file for node:test",
} as const;

const operationChoices = {
  each: "each operation",
  classes: "one of the operations that the same rules cover",
} as const;

const format = tabSignal<string>("playground-suite-format", "json");
const operations = tabSignal<string>("playground-suite-operations", "each");

/** The panel. */
export function SuitePanel() {
  const now = suite.state.value;
  const isRunning = now !== undefined && "stop" in now;
  return (
    <section class="panel later" aria-labelledby="suite-title">
      <h2 id="suite-title">Generate a test suite</h2>
      <Choice label="Format" state={format} choices={formats} />
      <Choice label="Requests for" state={operations} choices={operationChoices} />
      <div class="row">
        <button
          type="button"
          disabled={isRunning || zoneId.value === ""}
          onClick={() => {
            const choice = { format: format.value, operations: operations.value };
            void suite.start({ zone: zoneId.value, ...choice });
          }}
        >
          Generate
        </button>
        {isRunning && (
          <button type="button" onClick={suite.stop}>
            Stop
          </button>
        )}
        {isRunning && now.progress && (
          <progress
            aria-label="Mutants for which a request was found"
            value={now.progress.done}
            max={now.progress.all}
          />
        )}
      </div>
      <div role="status" class="note">
        {isRunning && <p>Generating requests…</p>}
        {now && "message" in now && <p>{now.message}</p>}
        {now && "found" in now && <Generated file={now.found} />}
      </div>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly state: typeof format;
  readonly choices: Readonly<Record<string, string>>;
}

function Choice({ label, state, choices }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={state.value}
        onChange={(event) => {
          state.value = event.currentTarget.value;
        }}
      >
        {Object.entries(choices).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Generated({ file: { name, text, summary, world } }: { readonly file: SuiteFile }) {
  return (
    <>
      {summary.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <div class="row">
        <button type="button" onClick={() => saveFile(name, text)}>
          Save {name}
        </button>
        {world !== undefined && (
          <button type="button" class="plain" onClick={() => saveFile("world.json", world)}>
            Save world.json
          </button>
        )}
      </div>
      {world !== undefined && <p class="quiet">The test file reads ./world.json, in the same folder.</p>}
    </>
  );
}
