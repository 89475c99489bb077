/** The state of the tab of names: what is typed, the names that were found, and look-alikes. */
import { effect, type Signal, signal } from "@preact/signals";
import type { LookAlikesView, NamesFound, NamesQuestion } from "../../../../src/workbench/names-messages.ts";
import { messageOf, sendData } from "../../data.ts";
import { tabSignal } from "../../tab-storage.ts";
import { emptyQuestion } from "./question.ts";

/** Patterns, names, and how they are compared. */
export const question = tabSignal<NamesQuestion>("playground-names", emptyQuestion);

/** The domain whose look-alikes are listed. */
export const domain = tabSignal("playground-domain", "");

/** Work of the engines: under way, done, or failed. */
export type Work<T> =
  | { readonly stop: AbortController }
  | { readonly found: T }
  | { readonly message: string }
  | undefined;

/** The comparison of the names. */
export const matching = signal<Work<NamesFound>>(undefined);

/** The list of look-alikes. */
export const listing = signal<Work<LookAlikesView>>(undefined);

/** Changes a part of the question. */
export function ask(changed: Partial<NamesQuestion>): void {
  question.value = { ...question.value, ...changed };
}

/** Starts work in place of the one that is under way. */
async function work<T>(state: Signal<Work<T>>, name: string, body: object): Promise<void> {
  stopWork(state.value);
  const stop = new AbortController();
  state.value = { stop };
  const result = await sendData<T>(name, body, stop.signal).then(
    (found) => ({ found }),
    (error: unknown) => ({ message: stop.signal.aborted ? "Stopped." : messageOf(error) }),
  );
  const now = state.value;
  if (now && "stop" in now && now.stop === stop) state.value = result;
}

/** Stops work that is under way. */
export function stopWork(now: Work<unknown>): void {
  if (now && "stop" in now) now.stop.abort();
}

/** Compares the names now. */
export function matchNow(): Promise<void> {
  return work(matching, "names/match", question.value);
}

/** Lists the look-alikes of the domain. */
export function listLookAlikes(): Promise<void> {
  return work(listing, "names/variants", { domain: domain.value });
}

/** Puts the look-alikes into the list of names. */
export function useLookAlikes({ names }: LookAlikesView): void {
  ask({ names: names.map(({ domain }) => domain).join("\n") });
}

/** Delay after the last key, in milliseconds. */
const typingMs = 300;

/** Keeps the matches up to date. @returns ends it */
export function followNames(): () => void {
  return effect(() => {
    const { patterns, names } = question.value;
    if (patterns.trim() === "" || names.trim() === "") {
      stopWork(matching.peek());
      matching.value = undefined;
      return;
    }
    const timer = setTimeout(() => void matchNow(), typingMs);
    return () => clearTimeout(timer);
  });
}

/** A brand that does not exist, and names of several kinds. */
export function showExample(): void {
  question.value = {
    ...emptyQuestion,
    patterns: "northwind",
    names: [
      "# One a line: names, URLs, or evil[.]com",
      "northwind.com",
      "northw1nd.com",
      "nörthwind.example",
      "https://login-northwind.net/session",
      "nort-hwind.shop",
      "norhtwind.org",
      "northwind.co.jp.example.com",
      "weather.org",
      "not a name",
    ].join("\n"),
  };
  domain.value = "northwind.com";
}
