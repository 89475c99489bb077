/** The text of an application. */
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";

interface Props {
  readonly text: Signal<string>;
  readonly placeholder: string;
  /** The element, in which findings select their part. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onType?: () => void;
}

/** The field. */
export function AppTextField({ text, placeholder, field, onType }: Props) {
  return (
    <label class="field">
      <span>Application as JSON, comments allowed</span>
      <textarea
        ref={field}
        rows={16}
        spellcheck={false}
        autocomplete="off"
        placeholder={placeholder}
        value={text.value}
        onInput={(event) => {
          onType?.();
          text.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}
