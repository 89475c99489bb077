/** The check of the text of an application while it is typed. */
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AppCheck } from "../../../src/workbench/messages.ts";
import { messageOf, sendData } from "../data.ts";

/** The input of a check: the text, and further input of the source of data. */
export interface CheckedApp {
  readonly text: string;
  readonly [member: string]: string;
}

/** The last check. */
export interface AppChecker {
  /** Undefined until the text that is shown has been checked. */
  readonly shown: ReadonlySignal<AppCheck | undefined>;
  /** Whether the text that is shown was checked, and rejected or accepted. */
  readonly isAccepted: ReadonlySignal<boolean>;
  /** Why something could not be done. */
  readonly failure: Signal<string | undefined>;
  /** Keeps the check up to date. @returns ends it */
  readonly follow: () => () => void;
}

/** Delay after the last key, in milliseconds. */
const typingMs = 250;

/** @param current reads signals: a change of one of them is checked */
export function createAppChecker(current: () => CheckedApp): AppChecker {
  const checked = signal<{ readonly text: string; readonly check: AppCheck } | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const shown = computed(() => (checked.value?.text === current().text ? checked.value.check : undefined));
  let latest = 0;

  async function checkNow(app: CheckedApp): Promise<void> {
    const own = ++latest;
    if (app.text.trim() === "") {
      checked.value = undefined;
      failure.value = undefined;
      return;
    }
    try {
      const check = await sendData<AppCheck>("app/check", app);
      if (own !== latest) return;
      checked.value = { text: app.text, check };
      failure.value = undefined;
    } catch (error) {
      if (own !== latest) return;
      checked.value = undefined;
      failure.value = messageOf(error);
    }
  }

  return {
    shown,
    isAccepted: computed(() => isAccepted(shown.value)),
    failure,
    follow: () =>
      effect(() => {
        const app = current();
        const timer = setTimeout(() => void checkNow(app), typingMs);
        return () => clearTimeout(timer);
      }),
  };
}

function isAccepted(check: AppCheck | undefined): boolean {
  if (check === undefined || check.fault !== undefined) return false;
  return check.findings.every(({ level }) => level !== "error");
}
