/** The state of the playground: rules, the version to compare with, and what the engines found. */
import { effect, signal } from "@preact/signals";
import type { ComparisonView, Named, SampleRequest } from "../../../src/workbench/messages.ts";
import type {
  PlaygroundExample,
  RulesMark,
  RulesZones,
  SuiteFile,
} from "../../../src/workbench/playground-messages.ts";
import { messageOf, readData, sendData } from "../data.ts";
import { overview, zoneId } from "../overview.ts";
import { evaluateNow, form, loadZone, pasted, readPasted, setRequest } from "../requests/request-state.ts";
import { tabSignal } from "../tab-storage.ts";
import { showView, view } from "../view-state.ts";
import { applyKeys, currentKeys } from "./keys/keys-state.ts";
import { decodeState, type PlaygroundState } from "./link.ts";
import { stoppableWork } from "./stoppable-work.ts";
import { applyTabs, currentTabs } from "./tabs/tabs-state.ts";

/** The text of the rules. */
export const rules = tabSignal("playground-rules", "");

/** The version that the rules are compared with. */
export const before = tabSignal("playground-before", "");

/** The requests of the example, while its rules are shown. */
const samples = tabSignal<readonly SampleRequest[]>("playground-samples", []);

/** The zones of the rules; undefined until they have been read. */
export const readZones = signal<RulesZones | undefined>(undefined);

/** The problems and findings of the rules; undefined until they have been analyzed. */
export const report = signal<readonly RulesMark[] | undefined>(undefined);

/** The error of a link, a file or the engines. */
export const pageError = signal<string | undefined>(undefined);

/** The comparison of the two versions. */
export const comparison = stoppableWork<ComparisonView>("compare");

/** The generated suite. */
export const suite = stoppableWork<SuiteFile>("suite");

/** Shows the zones of the rules, and the samples. */
function showOverview(zones: readonly Named[] = overview.value?.zones ?? []): void {
  overview.value = { version: "", zones, accounts: [], samples: samples.value, isServing: false };
}

/** The state that a link holds. */
export function currentState(): PlaygroundState {
  const zone = readZones.value && readZones.value.zones.length > 1 ? { zone: zoneId.value } : {};
  const own = { rules: rules.value, before: before.value, ...zone, request: form.value };
  return { ...own, ...currentKeys(), ...currentTabs() };
}

/** Shows a state in place of the current one. */
export function applyState(state: PlaygroundState): void {
  pageError.value = undefined;
  samples.value = [];
  rules.value = state.rules;
  before.value = state.before;
  form.value = state.request;
  applyKeys(state);
  applyTabs(state);
  showView({ zone: state.zone ?? "" });
  showOverview();
}

/** Shows the example with new keys. What is typed or pasted while it is made is kept. */
export async function loadExample(): Promise<void> {
  const [text, request, paste] = [rules.value, form.value, pasted.value];
  try {
    const example = await readData<PlaygroundExample>("example");
    if (rules.value !== text) return;
    samples.value = example.samples;
    rules.value = example.text;
    showOverview();
    const [first] = example.samples;
    if (first && form.value === request) setRequest(first);
    if (pasted.value === paste) return;
    await readRules();
    await readPasted();
  } catch (error) {
    pageError.value = messageOf(error);
  }
}

/** Replaces the text by a world file in JSON, into which rules can be saved. */
export async function convert(): Promise<void> {
  try {
    rules.value = (await readData<{ readonly text: string }>("convert")).text;
  } catch (error) {
    pageError.value = messageOf(error);
  }
}

/** Begins with the state of the link, or with that of this tab, or with the example. */
export async function begin(): Promise<void> {
  if (!isSecureContext)
    pageError.value =
      "Browsers verify tokens only on pages from https, localhost or a file; open this page from one of them.";
  showOverview();
  if (location.hash.length > 1 && (await readLink())) return;
  if (rules.value === "") await loadExample();
}

/** Shows the state of the link, and takes it from the address, which would not follow a change. @returns whether it has one */
export async function readLink(): Promise<boolean> {
  const { hash } = location;
  history.replaceState(null, "", location.href.replace(/#.*$/s, ""));
  try {
    applyState(await decodeState(hash));
    return true;
  } catch (error) {
    pageError.value = messageOf(error);
    return false;
  }
}

/** Compares the earlier version with the rules. */
export function compareNow(): Promise<void> {
  return comparison.start({ before: before.value, zone: zoneId.value });
}

/** Delay after the last key, in milliseconds. */
const typingMs = 300;

let latest = 0;

/** Reads the zones of the rules, and evaluates the request again. */
async function readRules(): Promise<void> {
  const own = ++latest;
  try {
    const read = await readData<RulesZones>("zones");
    if (own !== latest) return;
    readZones.value = read;
    showOverview(read.zones);
    const chosen = view.value["zone"];
    // While the text is damaged it has no zones, and the choice stays.
    if (chosen !== undefined && read.zones.length > 0 && !read.zones.some(({ id }) => id === chosen))
      showView({ zone: "" });
    await loadZone();
    await evaluateNow();
  } catch (error) {
    if (own === latest) pageError.value = messageOf(error);
  }
}

async function analyze(zone: string, signal: AbortSignal): Promise<void> {
  try {
    report.value = await sendData<readonly RulesMark[]>("report", { zone }, signal);
  } catch (error) {
    if (!signal.aborted) pageError.value = messageOf(error);
  }
}

/** Keeps zones, verdict and findings up to date. @returns ends it */
export function followRules(): () => void {
  const endReading = effect(() => {
    if (rules.value === "") return;
    const timer = setTimeout(() => void readRules(), typingMs);
    return () => clearTimeout(timer);
  });
  const endAnalysis = effect(() => {
    const [text, zone] = [rules.value, zoneId.value];
    if (text === "") return;
    const stop = new AbortController();
    const timer = setTimeout(() => void analyze(zone, stop.signal), typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });
  // A result about other rules is not shown.
  const endSuite = effect(() => {
    void [rules.value, zoneId.value];
    suite.forget();
  });
  const endComparison = effect(() => {
    void [rules.value, before.value, zoneId.value];
    comparison.forget();
  });
  return () => {
    for (const end of [endReading, endAnalysis, endSuite, endComparison]) end();
  };
}
