/** A button that dismisses a match, and then undoes that. */
import { type MatchView, setDismissed } from "./brand-state.ts";

interface Props {
  readonly match: MatchView;
  /** The name of the match. */
  readonly name: string;
}

/** The button. It keeps its place and the focus when its meaning changes. */
export function DismissButton({ match, name }: Props) {
  const { isDismissed } = match;
  return (
    <button
      type="button"
      class="plain small"
      aria-label={`${isDismissed ? "Undo the dismissal of" : "Dismiss"} ${name}`}
      onClick={() => void setDismissed(match, name, !isDismissed)}
    >
      {isDismissed ? "Undo" : "Dismiss"}
    </button>
  );
}
