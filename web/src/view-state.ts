/** The part of the state that can be shared: the query of the address. Ids and filters only, never a request or a token. */
import { signal } from "@preact/signals";

/** The state in the address. */
export type View = Readonly<Record<string, string>>;

function readAddress(): View {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** The current view. */
export const view = signal<View>(readAddress());

/** Changes members of the view; an empty value removes one. `push` adds an entry to the history of the tab. */
export function showView(change: View, push = false): void {
  const next = Object.entries({ ...view.value, ...change }).filter(([, value]) => value !== "");
  const search = new URLSearchParams(next).toString();
  const address = search === "" ? "/" : `/?${search}`;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  view.value = Object.fromEntries(next);
}

addEventListener("popstate", () => {
  view.value = readAddress();
});
