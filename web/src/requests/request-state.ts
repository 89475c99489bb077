/** The state of the screen Requests: the request, its verdict, and the rules of the zone. */
import { computed, effect, signal } from "@preact/signals";
import type {
  EvaluationView,
  GivenFieldView,
  PasteResult,
  PlainRequest,
  SampleRequest,
  VerdictView,
  ZoneView,
} from "../../../src/workbench/messages.ts";
import { messageOf, readData, sendData } from "../data.ts";
import { overview, zoneId } from "../overview.ts";
import { tabSignal } from "../tab-storage.ts";
import { printFieldValue, readFieldValue } from "./field-value.ts";
import { withRequest } from "./history/history.ts";
import { pastRequests } from "./history/past-requests.ts";
import type { RequestForm } from "./request-form.ts";

const emptyForm: RequestForm = { method: "GET", url: "", headers: "" };

/** The request that is evaluated. Kept in this tab; it may have live tokens. */
export const form = tabSignal<RequestForm>("request", emptyForm);

/** The text in the field for pasting. */
export const pasted = tabSignal<string>("pasted", "");

/** The requests of the last paste, when there were several. */
export const pastedRequests = tabSignal<readonly SampleRequest[]>("pasted-requests", []);

/** The kind of the last paste, or why it was rejected. */
export const pasteNote = signal<{ readonly isError: boolean; readonly lines: readonly string[] } | undefined>(
  undefined,
);

/** The evaluation of the request. */
export const evaluation = signal<EvaluationView | undefined>(undefined);

/** A recorded verdict of the log, shown in place of the evaluation. */
export const recorded = signal<{ readonly title: string; readonly verdict: VerdictView } | undefined>(
  undefined,
);

/** The verdict that is shown. */
export const shownVerdict = computed(() => recorded.value?.verdict ?? evaluation.value?.verdict);

/** Why the request could not be evaluated. */
export const evaluationError = signal<string | undefined>(undefined);

/** The rules of the chosen zone. */
export const zone = signal<ZoneView | undefined>(undefined);

/** The fields that the rules read with the draft that is open. */
export const draftFields = signal<readonly GivenFieldView[]>([]);

/** The fields that have an input, each once. */
export const givenFields = computed(() => {
  const all = [...(zone.value?.givenFields ?? []), ...draftFields.value];
  return [...new Map(all.map((field) => [field.name, field])).values()];
});

/** Why the zone could not be read. */
export const zoneError = signal<string | undefined>(undefined);

/** The request in the form that the server part reads. */
export function currentRequest(): PlainRequest {
  const { method, url, headers } = form.value;
  const pairs = headers.split("\n").flatMap((line): [string, string][] => {
    const colon = line.indexOf(":", 1);
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  return { method: method.trim(), url: url.trim(), headers: pairs, ...customMembers(form.value) };
}

/** The members that custom rules read. */
function customMembers({ ip = "", body = "", challengePassed = false, fields = {} }: RequestForm) {
  const given = Object.entries(fields).filter(([, text]) => text !== "");
  const typeOf = (name: string) => givenFields.value.find((field) => field.name === name)?.type;
  const values = given.map(([name, text]) => [name, readFieldValue(text, typeOf(name))] as const);
  return {
    ...(ip.trim() !== "" && { ip: ip.trim() }),
    ...(body !== "" && { body }),
    ...(challengePassed && { challengePassed }),
    ...(values.length > 0 && { fields: Object.fromEntries(values) }),
  };
}

/** Of a sample only the members of a request. */
function pickCustom({ ip, body, challengePassed }: Partial<PlainRequest>) {
  return { ...(ip && { ip }), ...(body && { body }), ...(challengePassed && { challengePassed }) };
}

function mapFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, printFieldValue(value)]));
}

/** The request is typed; otherwise it was put into the form as a whole. */
let isTyped = false;
/** The first request of the history is a state of the current typing. */
let isFirstTyped = false;

/** Changes a part of the form, as the user types. */
export function typeRequest(changed: Partial<RequestForm>): void {
  isTyped = true;
  form.value = { ...form.value, ...changed };
}

/** Puts a request into the form. */
export function setRequest({ method, url, headers, fields, ...custom }: PlainRequest): void {
  recorded.value = undefined;
  isTyped = false;
  form.value = {
    method,
    url,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
    ...pickCustom(custom),
    ...(fields && { fields: mapFields(fields) }),
  };
}

/** Reads the pasted text into the form. */
export async function readPasted(): Promise<void> {
  if (pasted.value.trim() !== "") await readText(pasted.value, []);
}

/** Maximum size of a file: the server part reads texts up to 64 MiB, in which quotes have two bytes. */
const maxFileBytes = 50_000_000;

/** Reads the first of some files into the form; it is not kept in this tab. */
export async function readFiles([file, ...others]: readonly File[]): Promise<void> {
  if (file === undefined) return;
  if (file.size > maxFileBytes) {
    const megabytes = Math.ceil(file.size / 1_000_000);
    fail(`${file.name} has ${megabytes} MB; a file must have at most ${maxFileBytes / 1_000_000} MB.`);
    return;
  }
  const ignored = others.length === 0 ? [] : [`Of ${others.length + 1} files only ${file.name} was read.`];
  try {
    await readText(await file.text(), [`From the file ${file.name}.`, ...ignored]);
  } catch {
    fail(`${file.name} cannot be read; it must be a file, not a folder.`);
  }
}

function fail(line: string): void {
  pasteNote.value = { isError: true, lines: [line] };
}

/** Reads a text into the form. Never rejects. */
async function readText(text: string, remarks: readonly string[]): Promise<void> {
  try {
    const request =
      form.value.url === "" ? (overview.value?.samples[0] ?? currentRequest()) : currentRequest();
    const result = await sendData<PasteResult>("paste", { zone: zoneId.value, text, request });
    const [first] = result.requests;
    pastedRequests.value = result.requests.length > 1 ? result.requests : [];
    pasteNote.value = { isError: first === undefined, lines: [...notesOf(result), ...remarks] };
    if (first) setRequest(first);
  } catch (error) {
    pasteNote.value = { isError: true, lines: [messageOf(error), ...remarks] };
  }
}

function notesOf({ format, requests, rejected }: PasteResult): readonly string[] {
  const count = requests.length === 1 ? "1 request" : `${requests.length} requests`;
  return [`Read ${count} (${format}).`, ...rejected];
}

/** Reads the rules of the chosen zone. */
export async function loadZone(): Promise<void> {
  const id = zoneId.value;
  if (id === "") return;
  draftFields.value = [];
  try {
    zone.value = await readData<ZoneView>("zone", { zone: id });
    zoneError.value = undefined;
  } catch (error) {
    zone.value = undefined;
    zoneError.value = messageOf(error);
  }
}

let latest = 0;

/** Evaluates the request; of several evaluations under way the last one counts. */
export async function evaluateNow(): Promise<void> {
  const request = currentRequest();
  const own = ++latest;
  if (request.url === "" || zoneId.value === "") {
    evaluation.value = undefined;
    evaluationError.value = undefined;
    return;
  }
  try {
    const result = await sendData<EvaluationView>("evaluate", { zone: zoneId.value, request });
    if (own !== latest) return;
    evaluation.value = result;
    evaluationError.value = undefined;
    remember(request, result);
  } catch (error) {
    if (own !== latest) return;
    evaluation.value = undefined;
    evaluationError.value = messageOf(error);
  }
}

/** While the user types, one entry of the history follows the text. */
function remember(request: PlainRequest, { verdict: { action, missing }, nowMs }: EvaluationView): void {
  const added = { zone: zoneId.value, request, action, ...(missing && { missing }), atMs: nowMs };
  pastRequests.value = withRequest(pastRequests.value, added, isTyped && isFirstTyped);
  isFirstTyped = isTyped;
}

/** Delay after the last key, in milliseconds. */
const typingMs = 250;

/** Keeps rules and verdict up to date while the screen is shown. @returns ends it */
export function followRequest(): () => void {
  const endZone = effect(() => {
    if (zoneId.value !== "") void loadZone();
  });
  const endForm = effect(() => {
    void form.value;
    void zoneId.value;
    const timer = setTimeout(() => void evaluateNow(), typingMs);
    return () => clearTimeout(timer);
  });
  return () => {
    endZone();
    endForm();
  };
}
