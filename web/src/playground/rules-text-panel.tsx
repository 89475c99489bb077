/** The rules as a text, with their problems and the findings of the analysis. */
import { convert, loadExample, pageError, readZones, report, rules } from "./state.ts";

/** The panel. */
export function RulesTextPanel() {
  return (
    <section class="panel" aria-labelledby="rules-text-title">
      <div class="row">
        <h2 id="rules-text-title">World or rules</h2>
        <button
          type="button"
          class="plain small"
          onClick={() => {
            pageError.value = undefined;
            void loadExample();
          }}
        >
          Show the example
        </button>
      </div>
      <label class="field">
        <span>
          A world file, or the configurations and rules of a zone; also Terraform and saved responses
        </span>
        <textarea
          rows={24}
          spellcheck={false}
          autocomplete="off"
          aria-describedby="findings"
          aria-invalid={report.value?.some(({ level }) => level === "error")}
          value={rules.value}
          onInput={(event) => {
            rules.value = event.currentTarget.value;
          }}
        />
      </label>
      <Format />
      <div id="findings" role="status">
        <Findings />
      </div>
    </section>
  );
}

/** Rules of another format can be replaced by a world, into which rules are saved. */
function Format() {
  const { format, profile, isEditable = true } = readZones.value ?? {};
  if (isEditable) return null;
  return (
    <div class="row">
      <span>
        Read as {format}, with the profile {profile}.
      </span>
      <button type="button" class="plain small" onClick={() => void convert()}>
        Replace by a world in JSON
      </button>
    </div>
  );
}

function Findings() {
  const found = report.value;
  if (found === undefined || rules.value === "")
    return <p class="quiet">Write rules, or begin with the example.</p>;
  if (found.length === 0) return <p class="quiet">The analysis has no findings.</p>;
  return (
    <ul class="findings" aria-label="Findings">
      {found.map(({ rule, level, message, line }, i) => (
        <li key={`${i} ${rule}`} class={`finding-${level}`}>
          <span class="chip">{level}</span> {line !== undefined && <>Line {line}: </>}
          {message}
        </li>
      ))}
    </ul>
  );
}
