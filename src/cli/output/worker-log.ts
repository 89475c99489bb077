/** `worker --log`: one line for each message, and one for each outage. */
import type { WorkerEvent } from "../../service/brand/worker/worker-options.ts";
import type { Output } from "../command.ts";
import { escapeControlCharacters } from "./escape-control-characters.ts";

/** Minimum time between two lines about the same outage, in milliseconds. */
const outageMs = 10_000;

/** Writes events as lines of text or JSON. Errors are lines also without a format. */
export function createWorkerLog(
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
  format: "text" | "json" | undefined,
  now: () => number = Date.now,
): (event: WorkerEvent) => void {
  let outage = { reason: "", atMs: Number.NEGATIVE_INFINITY };
  const isRepeated = (event: WorkerEvent): boolean => {
    if (event.type !== "outage") return false;
    if (event.reason === outage.reason && now() - outage.atMs < outageMs) return true;
    outage = { reason: event.reason, atMs: now() };
    return false;
  };
  return (event) => {
    if (event.type === "step" || isRepeated(event)) return;
    if (format === "json") stdout.write(`${JSON.stringify({ time: isoTime(now()), ...rounded(event) })}\n`);
    else if (format === "text") stdout.write(`${isoTime(now())} ${textOf(event)}\n`);
    else if (isProblem(event)) stderr.write(`${textOf(event)}\n`);
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function rounded(event: WorkerEvent): WorkerEvent {
  return event.type === "done" ? { ...event, ms: Math.round(event.ms) } : event;
}

function isProblem({ type }: WorkerEvent): boolean {
  return type === "dead" || type === "failed" || type === "outage";
}

function textOf(event: WorkerEvent): string {
  if (event.type === "done") {
    const { id, ms, fresh, matches } = event;
    return escapeControlCharacters(`done ${id} ${Math.round(ms)}ms new=${fresh} matches=${matches}`);
  }
  const id = "id" in event ? ` ${event.id}` : "";
  const reason = "reason" in event ? `: ${event.reason}` : "";
  return escapeControlCharacters(`${event.type}${id}${reason}`);
}
