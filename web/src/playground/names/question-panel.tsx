/** The patterns, the names, and how they are compared. */
import { ask, question, showExample } from "./names-state.ts";

const modes = [
  ["recommended", "By the recommended rules"],
  ["contains", "Anywhere in the name"],
  ["label", "The whole label"],
  ["token", "A whole part of the name"],
] as const;

const flags = [
  ["confusables", "Letters that look the same are equal"],
  ["transpositions", "Two swapped letters are one edit"],
  ["separators", "Also without hyphens and dots"],
] as const;

/** The panel. */
export function QuestionPanel() {
  return (
    <section class="panel" aria-labelledby="names-title">
      <div class="row">
        <h1 id="names-title">Which names look like us?</h1>
        <button type="button" class="plain small" onClick={showExample}>
          Show an example
        </button>
      </div>
      <TextField
        name="patterns"
        rows={3}
        title="Patterns, one a line; with a maximum of edits as in name:2"
      />
      <TextField name="names" rows={12} title="Names to compare, one a line" />
      <Comparison />
    </section>
  );
}

interface TextFieldProps {
  readonly name: "patterns" | "names";
  readonly rows: number;
  readonly title: string;
}

function TextField({ name, rows, title }: TextFieldProps) {
  return (
    <label class="field">
      <span>{title}</span>
      <textarea
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        value={question.value[name]}
        onInput={(event) => ask({ [name]: event.currentTarget.value })}
      />
    </label>
  );
}

function Comparison() {
  const { mode } = question.value;
  return (
    <>
      <label class="field">
        <span>Where a pattern is compared</span>
        <select value={mode} onChange={(event) => ask({ mode: event.currentTarget.value })}>
          {modes.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {mode === "recommended" ? (
        <p class="quiet">
          The recommended rules choose the edits by the length of a pattern; a number after it is not used.
        </p>
      ) : (
        flags.map(([name, title]) => (
          <label key={name} class="row">
            <input
              type="checkbox"
              checked={question.value[name]}
              onChange={(event) => ask({ [name]: event.currentTarget.checked })}
            />
            <span>{title}</span>
          </label>
        ))
      )}
    </>
  );
}
