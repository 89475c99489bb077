/** Inputs for what a request does not say and custom rules read: the address of the client, the body, and values of fields. */
import type { GivenFieldView } from "../../../src/workbench/messages.ts";
import { form, givenFields, shownVerdict, typeRequest, zone } from "./request-state.ts";

const detailsId = "custom-inputs";

/** Opens the inputs, and moves the focus to the first that is needed. */
export function askForNeeds(): void {
  const details = document.getElementById(detailsId);
  if (!(details instanceof HTMLDetailsElement)) return;
  details.open = true;
  details.querySelector<HTMLElement>("[data-needed]")?.focus();
}

/** The inputs; nothing without custom rules. */
export function CustomInputs() {
  if (!zone.value || zone.value.rulesets.length === 0) return null;
  const needs = new Set(shownVerdict.value?.custom?.needs);
  const fields = givenFields.value.filter(
    ({ name }) => name !== "ip.src" && !name.startsWith("http.request.body."),
  );
  const { ip = "", body = "", challengePassed = false, fields: given = {} } = form.value;
  const isGiven = [ip, body, ...Object.values(given)].some((text) => text !== "") || challengePassed;
  const needsBody = [...needs].some((name) => name.startsWith("http.request.body."));
  return (
    <details id={detailsId} class="custom-inputs" open={needs.size > 0 || isGiven}>
      <summary>For custom rules: client and fields</summary>
      <label class="field">
        <Label text="Address of the client (ip)" isNeeded={needs.has("ip.src")} />
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          placeholder="192.0.2.1"
          data-needed={needs.has("ip.src") || undefined}
          value={ip}
          onInput={(event) => typeRequest({ ip: event.currentTarget.value })}
        />
      </label>
      {fields.map((field) => (
        <FieldInput key={field.name} field={field} isNeeded={needs.has(field.name)} />
      ))}
      <label class="field">
        <Label text="Body" isNeeded={needsBody} />
        <textarea
          rows={2}
          spellcheck={false}
          autocomplete="off"
          data-needed={needsBody || undefined}
          value={body}
          onInput={(event) => typeRequest({ body: event.currentTarget.value })}
        />
      </label>
      <label class="inline">
        <input
          type="checkbox"
          checked={challengePassed}
          onChange={(event) => typeRequest({ challengePassed: event.currentTarget.checked })}
        />
        <span>The client has passed a challenge</span>
      </label>
    </details>
  );
}

function Label({ text, isNeeded }: { readonly text: string; readonly isNeeded: boolean }) {
  return (
    <span>
      {text} <NeededMark isNeeded={isNeeded} />
    </span>
  );
}

function NeededMark({ isNeeded }: { readonly isNeeded: boolean }) {
  return isNeeded ? <strong class="chip warn">needed</strong> : null;
}

function FieldInput({ field, isNeeded }: { readonly field: GivenFieldView; readonly isNeeded: boolean }) {
  const { name, type, help } = field;
  const value = form.value.fields?.[name] ?? "";
  const change = (text: string) => typeRequest({ fields: { ...form.value.fields, [name]: text } });
  const id = `help-${name}`;
  const common = { id: `field-${name}`, value, "data-needed": isNeeded || undefined, "aria-describedby": id };
  return (
    <div class="field">
      <label for={`field-${name}`}>
        {name} <NeededMark isNeeded={isNeeded} />
      </label>
      {type === "Bool" ? (
        <select {...common} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">not given</option>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : (
        <input
          {...common}
          type="text"
          spellcheck={false}
          autocomplete="off"
          inputMode={type === "Int" ? "numeric" : "text"}
          placeholder={type === "String" ? 'String; "" is the empty one' : type}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      <p id={id} class="hint">
        {help}
      </p>
    </div>
  );
}
