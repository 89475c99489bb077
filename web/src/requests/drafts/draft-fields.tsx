/** The members of a rule besides its expression: title, action, state, and selector or parameters. */
import { zone } from "../request-state.ts";
import type { DraftForm, DraftSubject } from "./draft-form.ts";

/** The actions of a rule, with what they do. */
const actions: Readonly<Record<DraftSubject["kind"], Readonly<Record<string, string>>>> = {
  token: { block: "block: reject when the expression is false", log: "log: record it and go on" },
  custom: {
    block: "block: reject when the expression is true",
    log: "log: record it and go on",
    managed_challenge: "managed_challenge",
    js_challenge: "js_challenge",
    challenge: "challenge",
    skip: "skip: leave out the rules that the parameters name",
    execute: "execute: a custom ruleset",
  },
};

const withParameters: readonly string[] = ["block", "skip", "execute"];

interface Props {
  readonly subject: DraftSubject;
  readonly form: DraftForm;
  readonly change: (changed: Partial<DraftForm>) => void;
}

/** The fields. */
export function DraftFields({ subject, form, change }: Props) {
  const { kind } = subject;
  // A stored action that is not offered is kept.
  const offered = {
    ...(form.action in actions[kind] ? {} : { [form.action]: form.action }),
    ...actions[kind],
  };
  return (
    <>
      <div class="request-line">
        <label class="grow">
          <span>{kind === "token" ? "Title" : "Description"}</span>
          <input
            type="text"
            class="prose"
            autocomplete="off"
            value={form.title}
            onInput={(event) => change({ title: event.currentTarget.value })}
          />
        </label>
        <label class="grow">
          <span>Action</span>
          <select value={form.action} onChange={(event) => change({ action: event.currentTarget.value })}>
            {Object.entries(offered).map(([name, help]) => (
              <option key={name} value={name}>
                {help}
              </option>
            ))}
          </select>
        </label>
        <label class="inline">
          <input
            type="checkbox"
            checked={form.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          <span>Enabled</span>
        </label>
      </div>
      {kind === "token" && <SelectorFields form={form} change={change} />}
      {kind === "custom" && (withParameters.includes(form.action) || form.parameters !== "") && (
        <label class="field">
          <span>Parameters of the action, as JSON</span>
          <input
            type="text"
            spellcheck={false}
            autocomplete="off"
            placeholder={form.action === "skip" ? '{"ruleset": "current"}' : "none"}
            value={form.parameters}
            onInput={(event) => change({ parameters: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}

/** The hosts, and the operations of these hosts with a mark for those that are covered. */
function SelectorFields({ form, change }: Omit<Props, "subject">) {
  const { operations, operationCount = 0 } = zone.value ?? {};
  const hosts = form.hosts.toLowerCase().split(/[\s,]+/);
  const shown = operations?.filter(({ host }) => hosts.includes(host.toLowerCase())) ?? [];
  const covered = shown.filter(({ id }) => !form.excluded.includes(id)).length;
  const toggle = (id: string, isCovered: boolean) =>
    change({ excluded: isCovered ? form.excluded.filter((other) => other !== id) : [...form.excluded, id] });
  return (
    <details class="selector">
      <summary>
        Selector
        {operations && `: ${covered} of ${operationCount} operations`}
      </summary>
      <label class="field">
        <span>Hosts, one a line</span>
        <textarea
          rows={2}
          spellcheck={false}
          autocomplete="off"
          value={form.hosts}
          onInput={(event) => change({ hosts: event.currentTarget.value })}
        />
      </label>
      {shown.length > 0 && (
        <fieldset class="checks">
          <legend>Covered operations</legend>
          {shown.map(({ id, title }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={!form.excluded.includes(id)}
                onChange={(event) => toggle(id, event.currentTarget.checked)}
              />
              <code>{title}</code>
            </label>
          ))}
        </fieldset>
      )}
      {operations && operationCount > operations.length && (
        <p class="quiet">The first {operations.length} operations are listed; the others are kept.</p>
      )}
    </details>
  );
}
