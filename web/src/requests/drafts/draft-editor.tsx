/** Edits the expression of a rule: live problems, findings, the verdict of the draft, what it changes; saved only on request. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ExpressionError } from "../../../../src/engine/tokens/expression/syntax-error.ts";
import type { DraftView, RuleView, ZoneView } from "../../../../src/workbench/messages.ts";
import { messageOf, sendData } from "../../data.ts";
import type { Editor } from "../../editor/editor.ts";
import { zoneId } from "../../overview.ts";
import { actionWords } from "../decision-bar.tsx";
import { currentRequest, evaluateNow, form, zone } from "../request-state.ts";
import { RuleText } from "../rule-text.tsx";
import { ComparisonNote } from "./comparison-note.tsx";

/** The editor of one rule. */
export function DraftEditor({ rule }: { readonly rule: RuleView }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const text = useSignal(rule.expression);
  const problems = useSignal<readonly ExpressionError[]>([]);
  const draft = useSignal<DraftView | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const state = useSignal("");

  const save = async () => {
    if (problems.value.length > 0) return;
    try {
      zone.value = await sendData<ZoneView>("rule/save", {
        zone: zoneId.value,
        rule: rule.id,
        expression: text.value,
      });
      state.value = "Saved.";
      failure.value = undefined;
      await evaluateNow();
    } catch (error) {
      failure.value = messageOf(error);
    }
  };

  useEffect(() => {
    let isOpen = true;
    void import("../../editor/editor.ts").then(
      ({ createEditor }) => {
        if (!isOpen || !host.current) return;
        editor.current = createEditor({
          host: host.current,
          text: rule.expression,
          label: `Expression of ${rule.title || rule.id}`,
          configs: zone.value?.configs ?? [],
          onChange: (next, found) => {
            if (next !== text.value) state.value = "";
            text.value = next;
            problems.value = found;
          },
          onSubmit: () => void save(),
        });
        editor.current.focus();
      },
      (error: unknown) => {
        failure.value = `The editor cannot be loaded: ${messageOf(error)}`;
      },
    );
    return () => {
      isOpen = false;
      editor.current?.destroy();
    };
  }, [rule.id]);

  useDraftCheck(rule, text.value, problems.value.length, draft, failure);
  const isChanged = text.value !== rule.expression;
  const changed = draft.value?.verdict?.rules.find(({ id }) => id === rule.id);
  return (
    <div class="draft">
      <div class="editor" ref={host} />
      <div role="status" class="note">
        {problems.value.map((problem) => (
          <div key={problem.message} class="error">
            <p>{problem.message}</p>
            <pre>{problem.excerpt}</pre>
          </div>
        ))}
        {failure.value !== undefined && <p class="error">{failure.value}</p>}
        {state.value !== "" && <p>{state.value}</p>}
      </div>
      {problems.value.length === 0 && draft.value && (
        <div class="draft-result">
          {draft.value.problems.map(({ message }) => (
            <p key={message} class="note error">
              {message}
            </p>
          ))}
          {draft.value.findings.map(({ rule: id, level, message }) => (
            <p key={id + message} class={`note finding-${level}`}>
              <span class="chip">{level}</span> {message}
            </p>
          ))}
          {isChanged && draft.value.verdict && (
            <p>
              With the draft:{" "}
              <strong class={`word-small ${draft.value.verdict.action}`}>
                {actionWords[draft.value.verdict.action]}
              </strong>
              . {draft.value.verdict.because}
            </p>
          )}
          {isChanged && changed && <RuleText expression={changed.expression} leaves={changed.leaves} />}
          {isChanged && draft.value.comparison && <ComparisonNote comparison={draft.value.comparison} />}
          {!isChanged && draft.value.findings.length === 0 && (
            <p class="quiet">The analysis has no findings about this rule.</p>
          )}
        </div>
      )}
      <div class="row">
        <button type="button" disabled={!isChanged || problems.value.length > 0} onClick={() => void save()}>
          Save the rule
        </button>
        <button
          type="button"
          class="plain"
          disabled={!isChanged}
          onClick={() => editor.current?.setText(rule.expression)}
        >
          Discard
        </button>
        <span class="hint">
          <kbd>Ctrl</kbd>+<kbd>Enter</kbd> saves, <kbd>Tab</kbd> leaves the editor
        </span>
      </div>
    </div>
  );
}

/** Delay after the last key, in milliseconds. */
const typingMs = 300;

/** Asks the server about the draft, after a pause in typing. */
function useDraftCheck(
  rule: RuleView,
  expression: string,
  problemCount: number,
  draft: { value: DraftView | undefined },
  failure: { value: string | undefined },
): void {
  const request = form.value;
  useEffect(() => {
    if (problemCount > 0) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const body = {
        zone: zoneId.value,
        rule: rule.id,
        expression,
        ...(request.url !== "" && { request: currentRequest() }),
      };
      try {
        draft.value = await sendData<DraftView>("draft", body, stop.signal);
        failure.value = undefined;
      } catch (error) {
        if (!stop.signal.aborted) failure.value = messageOf(error);
      }
    }, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [rule.id, rule.expression, expression, problemCount, request]);
}
