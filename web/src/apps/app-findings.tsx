/** The result of a check: the word first, then each code with its message and its lines, then what could not be checked. */
import type { AppCheck, AppMark } from "../../../src/workbench/messages.ts";

interface Props {
  /** Undefined until the text has been checked. */
  readonly check: AppCheck | undefined;
  /** Selects a part of the text. */
  readonly select: (start: number, end: number) => void;
}

/** The panel. */
export function AppFindings({ check, select }: Props) {
  const [word, tone] = summary(check);
  return (
    <section class="panel" aria-labelledby="check-title" aria-live="polite">
      <h2 id="check-title" class={`word ${tone}`}>
        {word}
      </h2>
      {check?.fault && (
        <p class="note error">
          Line {check.fault.line}: {check.fault.message}
        </p>
      )}
      <ul class="findings">
        {check?.findings.map((finding) => (
          <Finding key={finding.rule + finding.message} finding={finding} select={select} />
        ))}
      </ul>
      {check && check.notEvaluated.length > 0 && (
        <details>
          <summary>{check.notEvaluated.length} checks need facts that are not known</summary>
          <ul class="tree">
            {check.notEvaluated.map(({ check: name, needs }) => (
              <li key={name}>
                <code>{name}</code> <span class="quiet">needs {needs.join(", ")}</span>
              </li>
            ))}
          </ul>
          <p class="quiet">A world file has such facts of an account and a zone.</p>
        </details>
      )}
    </section>
  );
}

function summary(check: AppCheck | undefined): readonly [string, string] {
  if (check === undefined) return ["Not checked yet", "none"];
  if (check.fault) return ["Not JSON", "block"];
  const count = check.findings.filter(({ level }) => level === "error").length;
  return count > 0 ? ["Rejected", "block"] : ["Accepted", "allow"];
}

function Finding({ finding, select }: { readonly finding: AppMark; readonly select: Props["select"] }) {
  const { code, level, message, places } = finding;
  return (
    <li>
      <span class={level === "error" ? "chip bad" : "chip warn"}>{code}</span> {message}{" "}
      {places.map(({ line, start, end }) => (
        <button key={start} type="button" class="plain small" onClick={() => select(start, end)}>
          Line {line}
        </button>
      ))}
    </li>
  );
}
