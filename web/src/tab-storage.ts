/** State of this tab that survives a reload and is never in an address: what was pasted and typed. */
import { effect, type Signal, signal } from "@preact/signals";

/** A signal that is kept in the session storage. */
export function tabSignal<T>(name: string, initial: T): Signal<T> {
  const key = `edgeproof-${name}`;
  const state = signal<T>(read(key, initial));
  effect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(state.value));
    } catch {
      // Too large to keep: the state is lost on reload, nothing else.
      sessionStorage.removeItem(key);
    }
  });
  return state;
}

function read<T>(key: string, initial: T): T {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? initial : (JSON.parse(text) as T);
  } catch {
    return initial;
  }
}
