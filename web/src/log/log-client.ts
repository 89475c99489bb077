/**
 * Follows the log. A browser opens at most six connections to an origin, so of all tabs only one reads the stream: the
 * holder of a lock, which passes each entry on to the others. When it is closed, the next tab gets the lock.
 */
import { signal } from "@preact/signals";
import type { LogPage } from "../../../src/workbench/messages.ts";
import { openStream, readData } from "../data.ts";
import { type LoggedEntry, withEntry, withRead } from "./kept-entries.ts";
import { parseEvents } from "./parse-events.ts";

export type { LoggedEntry };

/** The kept entries, oldest first. */
export const logEntries = signal<readonly LoggedEntry[]>([]);

/** Whether the stream is open; false while the server does not answer. */
export const isConnected = signal(true);

/** Pause before a broken stream is opened again, in milliseconds. */
const retryMs = 2_000;

/** Messages between tabs. */
type Message = { readonly entry: LoggedEntry } | { readonly connected: boolean };

function add(entry: LoggedEntry): void {
  logEntries.value = withEntry(logEntries.value, entry);
}

/** Follows the log until the page is closed. */
export async function followLog(): Promise<void> {
  const channel = new BroadcastChannel("edgeproof-log");
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("entry" in data) add(data.entry);
    else isConnected.value = data.connected;
  };
  try {
    const { entries } = await readData<LogPage>("log");
    logEntries.value = withRead(logEntries.value, entries);
  } catch {
    isConnected.value = false;
  }
  await navigator.locks.request("edgeproof-log", () => lead(channel));
}

/** Reads the stream, and opens it again when it ends; the lock is held until the tab is closed. */
async function lead(channel: BroadcastChannel): Promise<never> {
  for (;;) {
    await readStream(channel).catch(() => {});
    report(channel, false);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function readStream(channel: BroadcastChannel): Promise<void> {
  const after = String(logEntries.value.at(-1)?.id ?? 0);
  const response = await openStream("log/stream", { after }, new AbortController().signal);
  report(channel, true);
  const decoder = new TextDecoder();
  let rest = "";
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return;
    const read = parseEvents(rest + decoder.decode(value, { stream: true }));
    rest = read.rest;
    for (const data of read.events) {
      const entry = JSON.parse(data) as LoggedEntry;
      add(entry);
      channel.postMessage({ entry } satisfies Message);
    }
  }
}

function report(channel: BroadcastChannel, connected: boolean): void {
  isConnected.value = connected;
  channel.postMessage({ connected } satisfies Message);
}
