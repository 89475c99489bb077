/** A button that copies a text and says so. */
import { useSignal } from "@preact/signals";

interface Props {
  readonly label: string;
  /** The name of the copied text, for screen readers. */
  readonly what: string;
  readonly text: string;
}

/** The button. */
export function CopyButton({ label, what, text }: Props) {
  const done = useSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      done.value = "copied";
    } catch {
      done.value = "not copied: the browser does not allow it";
    }
    setTimeout(() => {
      done.value = "";
    }, 2_000);
  };
  return (
    <span class="copy">
      <button
        type="button"
        class="plain"
        aria-label={`${label}: copy as ${what}`}
        onClick={() => void copy()}
      >
        {label}
      </button>
      <span role="status">{done.value}</span>
    </span>
  );
}
