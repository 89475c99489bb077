/** Colors of the editor; the custom properties are those of the page. */
import { EditorView } from "@codemirror/view";

/** The theme. */
export const editorTheme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--field)", fontSize: "0.875rem", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--ink)", padding: "0.5rem 0.25rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--selection)",
    color: "inherit",
  },
  ".token-field": { color: "var(--code-field)" },
  ".token-function": { color: "var(--code-function)" },
  ".token-operator": { color: "var(--code-operator)", fontWeight: "600" },
  ".token-string": { color: "var(--code-string)" },
  ".token-number": { color: "var(--code-string)" },
  ".token-symbol": { color: "var(--muted)" },
  ".token-invalid": { color: "var(--bad)" },
  ".cm-tooltip": {
    color: "var(--ink)",
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    maxWidth: "min(32rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.25rem 0.5rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1", marginLeft: "0.75rem" },
});
