/** The editor of an expression: CodeMirror in a shadow root, so that its styles need no permission of the page. */
import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, linter, lintKeymap } from "@codemirror/lint";
import { EditorState, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  tooltips,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

import { prepareRegularExpressions } from "../../../src/engine/tokens/expression/patterns/regular-expression.ts";
import type { ExpressionError } from "../../../src/engine/tokens/expression/syntax-error.ts";
import { editorTheme } from "./editor-theme.ts";
import type { Language } from "./language.ts";

/** The options of an editor. */
export interface EditorOptions {
  /** Empty element that becomes the editor. */
  readonly host: HTMLElement;
  readonly text: string;
  /** Name for screen readers. */
  readonly label: string;
  readonly language: Language;
  /** Called with each text, and its problems. */
  readonly onChange: (text: string, problems: readonly ExpressionError[]) => void;
  /** Called on Ctrl-Enter. */
  readonly onSubmit: () => void;
}

/** A mounted editor. */
export interface Editor {
  /** Replaces the text. */
  setText(text: string): void;
  focus(): void;
  destroy(): void;
}

const marks = new Map<string, Decoration>();

function markOf(kind: string): Decoration {
  const mark = marks.get(kind) ?? Decoration.mark({ class: `token-${kind}` });
  marks.set(kind, mark);
  return mark;
}

function tokenMarks({ tokens }: Language) {
  const decorate = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { start, end, kind } of tokens(view.state.doc.toString()))
      builder.add(start, end, markOf(kind));
    return builder.finish();
  };
  return ViewPlugin.define(
    (view) => ({
      decorations: decorate(view),
      update(update: ViewUpdate): void {
        if (update.docChanged) this.decorations = decorate(update.view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}

/** Creates the editor inside of the host's shadow root. */
export function createEditor({ host, text, label, language, onChange, onSubmit }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const check = async (view: EditorView): Promise<readonly Diagnostic[]> => {
    const current = view.state.doc.toString();
    // RE2 is loaded with the first expression that can have a pattern.
    if (/\bmatches\b|~/.test(current)) await prepareRegularExpressions();
    const problems = language.problems(current);
    onChange(current, problems);
    return problems.map(({ span, message }) => ({
      from: Math.min(span.start, current.length),
      to: Math.min(span.end, current.length),
      severity: "error",
      message,
    }));
  };
  const complete = (context: CompletionContext) => {
    const offered = language.offers(context.state.doc.sliceString(0, context.pos));
    return offered ? { from: offered.from, options: offered.offers.map((offer) => ({ ...offer })) } : null;
  };
  const submit = () => {
    onSubmit();
    return true;
  };
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        bracketMatching(),
        tokenMarks(language),
        linter(check, { delay: 150 }),
        autocompletion({ override: [complete], icons: false }),
        tooltips({ parent: root as unknown as HTMLElement }),
        keymap.of([
          { key: "Mod-Enter", run: submit },
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        editorTheme,
      ],
    }),
  });
  return {
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
