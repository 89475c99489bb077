/** The result of a check: findings, their places in the text, the text with its fixes, and the form that is stored. */
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import type { AppCheck } from "../../../src/workbench/messages.ts";
import { Scroller } from "../parts/scroller.tsx";
import { AnnotatedText } from "./annotated-text.tsx";
import { AppFindings } from "./app-findings.tsx";

interface Props {
  /** Undefined until the text has been checked. */
  readonly check: AppCheck | undefined;
  readonly text: Signal<string>;
  /** The element with the text. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** The panels. */
export function AppResult({ check, text, field }: Props) {
  const select = (start: number, end: number) => {
    field.current?.focus();
    field.current?.setSelectionRange(start, end);
  };
  return (
    <>
      <AppFindings check={check} select={select} />
      {check && check.findings.length > 0 && (
        <section class="panel" aria-labelledby="places-title">
          <h2 id="places-title">Each code at its place</h2>
          <AnnotatedText text={text.value} findings={check.findings} />
        </section>
      )}
      {check?.fixed !== undefined && <FixPreview text={text} fixed={check.fixed} />}
      {check?.stored !== undefined && (
        <section class="panel" aria-labelledby="stored-title">
          <h2 id="stored-title">As it is stored, with its defaults</h2>
          <Scroller label="Stored application">
            <pre>
              <code>{check.stored}</code>
            </pre>
          </Scroller>
        </section>
      )}
    </>
  );
}

function FixPreview({ text, fixed }: { readonly text: Signal<string>; readonly fixed: string }) {
  return (
    <section class="panel" aria-labelledby="fix-title">
      <h2 id="fix-title">With every unambiguous fix</h2>
      <AnnotatedText text={fixed} before={text.value} findings={[]} />
      <div class="row">
        <button
          type="button"
          onClick={() => {
            text.value = fixed;
          }}
        >
          Apply the fix
        </button>
      </div>
    </section>
  );
}
