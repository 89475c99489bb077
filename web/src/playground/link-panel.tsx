/** A link that holds the whole state of the page, or a file where the state is too large for a link. */
import { useSignal } from "@preact/signals";
import { messageOf } from "../data.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { saveFile } from "../parts/save-file.ts";
import { encodeState, maxFragmentLength, readState } from "./link.ts";
import { applyState, currentState, pageError } from "./state.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** The panel. */
export function LinkPanel() {
  const isWhole = useSignal(false);
  const link = useSignal<string | undefined>(undefined);
  const note = useSignal("");
  const chosen = () => (isWhole.value ? currentState() : withoutSecrets(currentState()));
  const make = async () => {
    link.value = undefined;
    const fragment = await encodeState(chosen()).catch((error: unknown) => {
      note.value = messageOf(error);
    });
    if (fragment === undefined) return;
    const isShort = fragment.length <= maxFragmentLength;
    link.value = isShort ? location.href.replace(/#.*$/s, "") + fragment : undefined;
    note.value = isShort
      ? ""
      : `The state needs ${fragment.length} characters; a link has at most ${maxFragmentLength}. Save it as a file instead.`;
  };
  return (
    <section class="panel later" aria-labelledby="link-title">
      <h2 id="link-title">Share</h2>
      <label class="row">
        <input
          type="checkbox"
          checked={isWhole.value}
          onChange={(event) => {
            isWhole.value = event.currentTarget.checked;
            link.value = undefined;
          }}
        />
        <span>Include tokens and private keys</span>
      </label>
      {isWhole.value && (
        <p class="note error" role="alert">
          Everyone with the link or the file can use its tokens and keys. Share tokens and keys of tests only.
        </p>
      )}
      <div class="row">
        <button type="button" onClick={() => void make()}>
          Make a link
        </button>
        <button
          type="button"
          class="plain"
          onClick={() => saveFile("edgeproof-playground.json", JSON.stringify(chosen(), null, 2))}
        >
          Save as a file
        </button>
        <label class="file">
          <Icon name="file" />
          <span>Open a saved file</span>
          <input
            type="file"
            accept=".json"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void openFile(file);
              currentTarget.value = "";
            }}
          />
        </label>
      </div>
      <div role="status" class="note">
        {note.value !== "" && <p>{note.value}</p>}
        {link.value !== undefined && (
          <div class="field">
            <label for="link">The link holds what is on all tabs</label>
            <input id="link" type="text" readOnly value={link.value} />
            <CopyButton label="Copy" what="link" text={link.value} />
          </div>
        )}
      </div>
    </section>
  );
}

/** Maximum size of a file, in bytes: `readState` accepts no more. */
const maxFileBytes = 4 * 1024 * 1024;

async function openFile(file: File): Promise<void> {
  try {
    if (file.size > maxFileBytes) throw new RangeError(`${file.name} is larger than ${maxFileBytes} bytes.`);
    applyState(readState(await file.text()));
  } catch (error) {
    pageError.value = messageOf(error);
  }
}
