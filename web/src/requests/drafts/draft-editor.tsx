/** Edits a rule, or writes a new one: live problems, findings, the verdict of the draft, what it changes; saved only on request. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ExpressionError } from "../../../../src/engine/tokens/expression/syntax-error.ts";
import type { DraftView, LeafView, ZoneView } from "../../../../src/workbench/messages.ts";
import { messageOf, sendData } from "../../data.ts";
import type { Editor } from "../../editor/editor.ts";
import { zoneId } from "../../overview.ts";
import { showView } from "../../view-state.ts";
import { currentRequest, draftFields, evaluateNow, form as requestForm, zone } from "../request-state.ts";
import { DraftFields } from "./draft-fields.tsx";
import { type DraftForm, type DraftSubject, draftOf, formOf, isChanged } from "./draft-form.ts";
import { DraftResult } from "./draft-result.tsx";

/** The editor of one rule. It is mounted again for another rule. */
export function DraftEditor(subject: DraftSubject) {
  const { rule } = subject;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const form = useSignal(formOf(subject));
  const problems = useSignal<readonly ExpressionError[]>([]);
  const draft = useSignal<DraftView | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const state = useSignal("");
  const current = useRef(subject);
  current.current = subject;

  const change = (changed: Partial<DraftForm>) => {
    form.value = { ...form.value, ...changed };
    state.value = "";
  };
  const save = async () => {
    if (problems.value.length > 0 || !isChanged(current.current, form.value)) return;
    try {
      const known = idsOf(zone.value);
      const body = { zone: zoneId.value, ...draftOf(current.current, form.value) };
      zone.value = await sendData<ZoneView>("rule/save", body);
      state.value = "Saved.";
      failure.value = undefined;
      await evaluateNow();
      if (current.current.rule === undefined) showAdded(known);
    } catch (error) {
      failure.value = messageOf(error);
    }
  };

  useEffect(() => {
    let isOpen = true;
    const label = rule ? `Expression of ${rule.title || rule.id}` : "Expression of the new rule";
    void Promise.all([import("../../editor/editor.ts"), import("../../editor/language.ts")]).then(
      ([{ createEditor }, { languageOf }]) => {
        if (!isOpen || !host.current) return;
        const { configs = [], lists = [] } = zone.value ?? {};
        editor.current = createEditor({
          host: host.current,
          text: form.value.expression,
          label,
          language: languageOf(subject.kind, { configs, lists }),
          onChange: (expression, found) => {
            if (expression !== form.value.expression) change({ expression });
            problems.value = found;
          },
          onSubmit: () => void save(),
        });
        // Who types in another field already stays there.
        if (!host.current.parentElement?.contains(document.activeElement)) editor.current.focus();
      },
      (error: unknown) => {
        failure.value = `The editor cannot be loaded: ${messageOf(error)}`;
      },
    );
    return () => {
      isOpen = false;
      editor.current?.destroy();
    };
  }, []);

  const { expression } = form.value;
  const isEmpty = expression.trim() === "";
  const slow = useSignal<AbortController | undefined>(undefined);
  useDraftCheck(subject, form.value, isEmpty || problems.value.length > 0, { draft, failure, slow });
  const differs = isChanged(subject, form.value);
  return (
    <div class="draft">
      <DraftFields subject={subject} form={form.value} change={change} />
      <div class="editor" ref={host} />
      <div role="status" class="note">
        {!isEmpty &&
          problems.value.map((problem) => (
            <div key={problem.message} class="error">
              <p>{problem.message}</p>
              <pre>{problem.excerpt}</pre>
            </div>
          ))}
        {failure.value !== undefined && <p class="error">{failure.value}</p>}
        {state.value !== "" && <p>{state.value}</p>}
        {slow.value && (
          <p class="row">
            Checking the draft…
            <button type="button" class="plain small" onClick={() => slow.value?.abort(stopped)}>
              Stop the check
            </button>
          </p>
        )}
      </div>
      {!isEmpty && problems.value.length === 0 && draft.value && (
        <DraftResult
          draft={draft.value}
          isChanged={differs}
          expression={expression}
          leaves={leavesOf(subject, draft.value)}
        />
      )}
      <div class="row">
        <button type="button" disabled={!differs || problems.value.length > 0} onClick={() => void save()}>
          {rule ? "Save the rule" : "Save the new rule"}
        </button>
        <button
          type="button"
          class="plain"
          disabled={!differs}
          onClick={() => {
            form.value = formOf(subject);
            editor.current?.setText(form.value.expression);
          }}
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

/** The rules of a zone as elements of the page name them. */
function idsOf(view: ZoneView | undefined): readonly string[] {
  const { rules = [], rulesets = [] } = view ?? {};
  const custom = rulesets.flatMap((ruleset) => ruleset.rules.map(({ id }) => `${ruleset.id}/${id}`));
  return [...rules.map(({ id }) => id), ...custom];
}

/** Closes the editor, and moves the focus to the rule that was not there before. */
function showAdded(known: readonly string[]): void {
  showView({ rule: "" });
  const added = idsOf(zone.value).find((id) => !known.includes(id));
  requestAnimationFrame(() => document.getElementById(`rule-${added}`)?.focus());
}

/** The service names a rule that is not stored so. */
const newRuleId = "new rule";

function leavesOf(subject: DraftSubject, { verdict }: DraftView): readonly LeafView[] {
  const id = subject.rule?.id ?? newRuleId;
  if (subject.kind === "token") return verdict?.rules.find((rule) => rule.id === id)?.leaves ?? [];
  const rules = verdict?.custom?.rules ?? [];
  return rules.find(({ ruleset, rule }) => ruleset === subject.ruleset.id && rule === id)?.leaves ?? [];
}

/** Delay after the last key, in milliseconds. */
const typingMs = 300;

/** Time after which a check can be stopped, in milliseconds: most take less. */
const slowMs = 700;

/** The reason of a check that a person stopped, not a later change. */
const stopped = "stopped";

/** The state of the check. */
interface CheckState {
  readonly draft: Signal<DraftView | undefined>;
  readonly failure: Signal<string | undefined>;
  /** Stops a check that takes long. */
  readonly slow: Signal<AbortController | undefined>;
}

/** Asks the server about the draft, after a pause in typing. */
function useDraftCheck(
  subject: DraftSubject,
  form: DraftForm,
  isInvalid: boolean,
  { draft, failure, slow }: CheckState,
): void {
  const request = requestForm.value;
  useEffect(() => {
    if (isInvalid) return;
    const stop = new AbortController();
    let slowTimer: ReturnType<typeof setTimeout> | undefined;
    const timer = setTimeout(async () => {
      slowTimer = setTimeout(() => {
        slow.value = stop;
      }, slowMs);
      const body = {
        zone: zoneId.value,
        ...draftOf(subject, form),
        ...(request.url !== "" && { request: currentRequest() }),
      };
      try {
        draft.value = await sendData<DraftView>("draft", body, stop.signal);
        draftFields.value = draft.value.givenFields;
        failure.value = undefined;
      } catch (error) {
        if (!stop.signal.aborted) failure.value = messageOf(error);
        else if (stop.signal.reason === stopped)
          failure.value = "The check was stopped; the next change starts another.";
      } finally {
        clearTimeout(slowTimer);
        if (slow.value === stop) slow.value = undefined;
      }
    }, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [subject.rule, form, isInvalid, request]);
}
