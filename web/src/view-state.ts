/** The part of the state that can be shared: the query of the address. Ids and filters only, never a request or a token. */
import { signal } from "@preact/signals";

/** The state in the address. */
export type View = Readonly<Record<string, string>>;

function readAddress(): View {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** The current view. */
export const view = signal<View>(readAddress());

let isInAddress = true;

/** Keeps the view in memory: the address of a page that is a file cannot be changed. */
export function detachAddress(): void {
  isInAddress = false;
  view.value = {};
}

/** Changes members of the view; an empty value removes one. `push` adds an entry to the history of the tab. */
export function showView(change: View, push = false): void {
  const next = Object.entries({ ...view.value, ...change }).filter(([, value]) => value !== "");
  const search = new URLSearchParams(next).toString();
  const address = search === "" ? "/" : `/?${search}`;
  if (isInAddress && push) history.pushState(null, "", address);
  else if (isInAddress) history.replaceState(null, "", address);
  view.value = Object.fromEntries(next);
}

addEventListener("popstate", () => {
  if (isInAddress) view.value = readAddress();
});
