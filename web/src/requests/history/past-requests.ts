/** The state of the history. */
import { tabSignal } from "../../tab-storage.ts";
import type { PastRequest } from "./history.ts";

/** The requests, newest first, each once. Kept in this tab; they may have live tokens. */
export const pastRequests = tabSignal<readonly PastRequest[]>("history", []);
