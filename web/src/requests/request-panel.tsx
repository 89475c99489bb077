/** The request: pasted in any form, or typed. */
import { overview } from "../overview.ts";
import { Icon } from "../parts/icon.tsx";
import { CustomInputs } from "./custom-inputs.tsx";
import {
  evaluateNow,
  form,
  pasted,
  pastedRequests,
  pasteNote,
  readFiles,
  readPasted,
  setRequest,
  typeRequest,
} from "./request-state.ts";

/** The panel. */
export function RequestPanel() {
  return (
    <section
      class="panel"
      aria-labelledby="request-title"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void readFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <h1 id="request-title">Why was this request blocked?</h1>
      <PasteField />
      {pastedRequests.value.length > 1 && <PastedRequests />}
      <Samples />
      <RequestFields />
    </section>
  );
}

function onSubmitKey(event: KeyboardEvent, action: () => void): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  action();
}

function PasteField() {
  const note = pasteNote.value;
  return (
    <div class="field">
      <label for="paste">Paste a curl command, a HAR, a URL with headers, or a JWT</label>
      <textarea
        id="paste"
        rows={3}
        spellcheck={false}
        autocomplete="off"
        value={pasted.value}
        aria-describedby="paste-note"
        aria-invalid={note?.isError === true}
        onInput={(event) => {
          pasted.value = event.currentTarget.value;
        }}
        onPaste={() => setTimeout(() => void readPasted())}
        onKeyDown={(event) => onSubmitKey(event, () => void readPasted())}
      />
      <div class="row">
        <button type="button" onClick={() => void readPasted()}>
          Read
        </button>
        <span class="hint">
          <kbd>Ctrl</kbd>+<kbd>Enter</kbd>
        </span>
        <label class="file">
          <Icon name="file" />
          <span>Drop a file, or choose one</span>
          <input
            type="file"
            onChange={({ currentTarget }) => {
              const files = [...(currentTarget.files ?? [])];
              currentTarget.value = "";
              void readFiles(files);
            }}
          />
        </label>
      </div>
      <div id="paste-note" role="status" class={note?.isError ? "note error" : "note"}>
        {note?.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </div>
  );
}

function PastedRequests() {
  const { method, url } = form.value;
  return (
    <div class="field">
      <label for="pasted-request">Requests of the paste</label>
      <select
        id="pasted-request"
        onChange={(event) => {
          const chosen = pastedRequests.value[Number(event.currentTarget.value)];
          if (chosen) setRequest(chosen);
        }}
      >
        {pastedRequests.value.map((request, i) => (
          <option key={i} value={i} selected={request.method === method && request.url === url}>
            {request.title}
          </option>
        ))}
      </select>
    </div>
  );
}

function Samples() {
  const samples = overview.value?.samples ?? [];
  if (samples.length === 0) return null;
  return (
    <div class="field">
      <label for="sample">Or begin with a sample</label>
      <select
        id="sample"
        value=""
        onChange={(event) => {
          const sample = samples[Number(event.currentTarget.value)];
          if (sample && event.currentTarget.value !== "") setRequest(sample);
          event.currentTarget.value = "";
        }}
      >
        <option value="">Choose a sample…</option>
        {samples.map(({ title }, i) => (
          <option key={title} value={i}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

function RequestFields() {
  const { method, url, headers } = form.value;
  return (
    <fieldset class="request-fields" onKeyDown={(event) => onSubmitKey(event, () => void evaluateNow())}>
      <legend>Request</legend>
      <div class="request-line">
        <label>
          <span>Method</span>
          <input
            type="text"
            list="methods"
            size={7}
            spellcheck={false}
            autocomplete="off"
            value={method}
            onInput={(event) => typeRequest({ method: event.currentTarget.value })}
          />
        </label>
        <label class="grow">
          <span>URL</span>
          <input
            type="text"
            inputMode="url"
            spellcheck={false}
            autocomplete="off"
            placeholder="https://api.example.com/v1/orders"
            value={url}
            onInput={(event) => typeRequest({ url: event.currentTarget.value })}
          />
        </label>
      </div>
      <datalist id="methods">
        {["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label class="field">
        <span>Headers, one a line</span>
        <textarea
          rows={4}
          spellcheck={false}
          autocomplete="off"
          placeholder="authorization: Bearer …"
          value={headers}
          onInput={(event) => typeRequest({ headers: event.currentTarget.value })}
        />
      </label>
      <CustomInputs />
    </fieldset>
  );
}
