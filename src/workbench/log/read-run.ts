/** Reads the recorded verdicts of a run, one JSON line each, as entries of the log. */
import { isJsonObject, parseJson } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import type { Edge } from "../../edge.ts";
import type { VerdictRecord } from "../../http/records/verdict-record.ts";
import type { LogEntry } from "../messages.ts";
import { type VerdictNames, viewOfPlainVerdict } from "../requests/verdict-view.ts";
import { viewOfZone } from "../requests/zone-view.ts";

/** The entries, or a clause that names the first line that is not a record. */
export async function readRun(text: string, edge: Edge): Promise<Result<readonly LogEntry[], string>> {
  const zones = new Map<string, VerdictNames>();
  const entries: LogEntry[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const record = parseRecord(line);
    if (!record) return failure(`line ${i + 1} is not the record of a verdict`);
    const names = zones.get(record.zone) ?? (await readNames(edge, record.zone));
    zones.set(record.zone, names);
    try {
      entries.push(entryOf(record, names));
    } catch {
      return failure(`line ${i + 1} has a verdict with missing members`);
    }
  }
  return success(entries);
}

/** A zone that does not exist any more has no titles. */
async function readNames(edge: Edge, zone: string): Promise<VerdictNames> {
  return viewOfZone(edge, zone).catch(() => ({ rules: [], configs: [], rulesets: [] }));
}

function parseRecord(line: string): VerdictRecord | undefined {
  const value = parseJson(line);
  return isRecord(value) ? value : undefined;
}

/** Checks what is read directly; the members of a verdict are read under `try`. */
function isRecord(value: unknown): value is VerdictRecord {
  if (!isJsonObject(value)) return false;
  const { time, zone, method, url, tokens, verdict } = value;
  const isText = [time, zone, method, url].every((member) => typeof member === "string");
  if (!isText || !Array.isArray(tokens) || !isJsonObject(verdict)) return false;
  const isAction = ["allow", "log", "block"].some((action) => action === verdict["action"]);
  return isAction && URL.canParse(String(url)) && !Number.isNaN(Date.parse(String(time)));
}

function entryOf({ time, zone, method, url, tokens, verdict }: VerdictRecord, names: VerdictNames): LogEntry {
  const decode = ({ id }: { readonly id: string }) => {
    const { header, claims } = tokens.find(({ configId }) => configId === id) ?? {};
    return { ...(header && { header }), ...(claims && { claims }) };
  };
  const view = viewOfPlainVerdict(verdict, names, decode);
  const { pathname, search } = new URL(url);
  return { kind: "verdict", atMs: Date.parse(time), zone, method, path: pathname + search, verdict: view };
}
