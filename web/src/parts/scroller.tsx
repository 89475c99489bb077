/** A region that scrolls by itself, and that is reached by keyboard. */
import type { ComponentChildren } from "preact";

/** The region. */
export function Scroller({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll
    <section class="scroller" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
