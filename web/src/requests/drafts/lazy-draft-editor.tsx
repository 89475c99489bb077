/** The editor of a rule, which is loaded when the first one is opened. */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DraftSubject } from "./draft-form.ts";

type State = { readonly Editor?: FunctionComponent<DraftSubject>; readonly isMissing?: boolean };

/** The editor. */
export function LazyDraftEditor(subject: DraftSubject) {
  const [{ Editor, isMissing = false }, setState] = useState<State>({});
  useEffect(() => {
    let isOpen = true;
    import("./draft-editor.tsx").then(
      ({ DraftEditor }) => isOpen && setState({ Editor: DraftEditor }),
      () => isOpen && setState({ isMissing: true }),
    );
    return () => {
      isOpen = false;
    };
  }, []);
  if (isMissing) return <p class="note error">A file of the page did not arrive.</p>;
  return Editor ? <Editor {...subject} /> : <p class="quiet">Loading…</p>;
}
