/** The overview: zones, accounts, samples. */
import { computed, signal } from "@preact/signals";
import type { Overview } from "../../src/workbench/messages.ts";
import { messageOf, readData } from "./data.ts";
import { view } from "./view-state.ts";

/** The overview; undefined until it has arrived. */
export const overview = signal<Overview | undefined>(undefined);

/** Why the overview could not be read. */
export const overviewError = signal<string | undefined>(undefined);

/** Reads the overview. */
export async function loadOverview(): Promise<void> {
  try {
    overview.value = await readData<Overview>("overview");
    overviewError.value = undefined;
  } catch (error) {
    overviewError.value = messageOf(error);
  }
}

/** Id of the zone that the address names, or of the first one. */
export const zoneId = computed(() => view.value["zone"] ?? overview.value?.zones[0]?.id ?? "");

/** Id of the account that the address names, or of the first one. */
export const accountId = computed(() => view.value["account"] ?? overview.value?.accounts[0]?.id ?? "");
