/** The state of the screen Names and logos: the queries of an account, and the matches of the chosen one. */
import { computed, effect, signal, untracked } from "@preact/signals";
import type { BrandView, LogoMatchView, NameMatchView, Page } from "../../../src/workbench/brand-messages.ts";
import { messageOf, readData, sendData } from "../data.ts";
import { accountId } from "../overview.ts";
import { showView, view } from "../view-state.ts";

/** A query of either kind. */
export interface ChosenQuery {
  readonly kind: "names" | "logos";
  readonly id: string;
  readonly tag: string;
  readonly threshold: number;
}

/** A match of either kind. */
export type MatchView = NameMatchView | LogoMatchView;

/** The queries of the account; undefined until they have arrived. */
export const brand = signal<BrandView | undefined>(undefined);

/** Why something could not be read or changed. */
export const brandError = signal<string | undefined>(undefined);

/** The loaded matches of names, with those that were dismissed since they were loaded. */
export const nameMatches = signal<Page<NameMatchView> | undefined>(undefined);

/** The loaded matches of logos, in descending order of scores. */
export const logoMatches = signal<Page<LogoMatchView> | undefined>(undefined);

/** Ids of the matches that were dismissed since the list was read: they stay in it, so that the change can be undone. */
const dismissedHere = signal<ReadonlySet<string>>(new Set());

/** The last change, for screen readers. */
export const announcement = signal("");

/** The minimum score while the control is moved. */
export const movedScore = signal<number | undefined>(undefined);

/** The query that the address names, or the first one. */
export const chosenQuery = computed((): ChosenQuery | undefined => {
  const { names = [], logos = [] } = brand.value ?? {};
  const all = [
    ...names.map(({ id, tag, threshold }): ChosenQuery => ({ kind: "names", id, tag, threshold })),
    ...logos.map(({ id, tag, threshold }): ChosenQuery => ({ kind: "logos", id, tag, threshold })),
  ];
  return all.find((query) => keyOf(query) === view.value["query"]) ?? all[0];
});

/** Changes only when another query is chosen. */
const chosenKey = computed(() => (chosenQuery.value ? keyOf(chosenQuery.value) : ""));

/** A query in the address. */
export function keyOf({ kind, id }: Pick<ChosenQuery, "kind" | "id">): string {
  return `${kind}-${id}`;
}

/** From the threshold of the query to 1. */
export const minScore = computed(() => {
  const lowest = chosenQuery.value?.threshold ?? 0;
  const asked = movedScore.value ?? Number(view.value["min"] ?? lowest);
  return Math.min(1, Math.max(lowest, Number.isNaN(asked) ? lowest : asked));
});

/** Whether dismissed matches are listed. */
export const isShowingDismissed = computed(() => view.value["dismissed"] === "show");

/** Whether the filters let a match through. */
export function isListed(match: MatchView): boolean {
  const score = "ascii" in match ? match.found?.score : match.score;
  const lowest = chosenQuery.value?.threshold ?? 0;
  const isAbove = minScore.value <= lowest || (score ?? 0) >= minScore.value;
  return isAbove && (!match.isDismissed || isShowingDismissed.value || dismissedHere.value.has(match.id));
}

/** Whether further matches could be listed: those of logos are in descending order of scores. */
export function hasMore({ matches, hasMore: isMore }: Page<MatchView>): boolean {
  const last = matches.at(-1);
  return isMore && (last === undefined || "ascii" in last || last.score >= minScore.value);
}

/** Shows the matches of a query. */
export function chooseQuery(query: Pick<ChosenQuery, "kind" | "id">): void {
  showView({ query: keyOf(query), min: "" }, true);
}

async function loadBrand(account: string): Promise<void> {
  try {
    brand.value = await readData<BrandView>("brand", { account });
    brandError.value = undefined;
  } catch (error) {
    brand.value = undefined;
    brandError.value = messageOf(error);
  }
}

let latest = 0;

/** Reads the first page of the chosen query, or the next one; of several readings under way the last one counts. */
export async function loadMatches(isNext = false): Promise<void> {
  const query = chosenQuery.value;
  const own = ++latest;
  if (query === undefined) return;
  const asked = { account: accountId.value, query: query.id, dismissed: String(isShowingDismissed.value) };
  try {
    if (query.kind === "names") {
      const before = isNext ? (nameMatches.value?.matches ?? []) : [];
      // The server part does not list those that are dismissed by now.
      const listed = before.filter((match) => isShowingDismissed.value || !match.isDismissed);
      const offset = String(listed.length);
      const page = await readData<Page<NameMatchView>>("brand/names", { ...asked, offset });
      if (own === latest) nameMatches.value = { ...page, matches: [...before, ...page.matches] };
    } else {
      const before = isNext ? (logoMatches.value?.matches ?? []) : [];
      const offset = String(before.length);
      const page = await readData<Page<LogoMatchView>>("brand/logos", { ...asked, offset });
      if (own === latest) logoMatches.value = { ...page, matches: [...before, ...page.matches] };
    }
    brandError.value = undefined;
  } catch (error) {
    if (own === latest) brandError.value = messageOf(error);
  }
}

/** Dismisses a match, or lists it again; the same button undoes the change. */
export async function setDismissed(match: MatchView, name: string, isDismissed: boolean): Promise<void> {
  const query = chosenQuery.value;
  if (query === undefined) return;
  const { kind, id } = query;
  try {
    const body = { account: accountId.value, kind, query: id, match: match.id, dismissed: isDismissed };
    await sendData("brand/dismiss", body);
    dismissedHere.value = new Set([...dismissedHere.value, match.id]);
    nameMatches.value = withDismissed(nameMatches.value, match, isDismissed);
    logoMatches.value = withDismissed(logoMatches.value, match, isDismissed);
    announcement.value = isDismissed ? `Dismissed ${name}.` : `${name} is listed again.`;
    brandError.value = undefined;
  } catch (error) {
    brandError.value = messageOf(error);
  }
}

function withDismissed<T extends MatchView>(
  page: Page<T> | undefined,
  match: MatchView,
  isDismissed: boolean,
): Page<T> | undefined {
  if (page === undefined) return undefined;
  return {
    ...page,
    matches: page.matches.map((other) => (other === match ? { ...other, isDismissed } : other)),
  };
}

/** Keeps queries and matches up to date while the screen is shown. @returns ends it */
export function followBrand(): () => void {
  const ends = [
    effect(() => {
      if (accountId.value !== "") void loadBrand(accountId.value);
    }),
    effect(() => {
      void [accountId.value, chosenKey.value, isShowingDismissed.value];
      nameMatches.value = undefined;
      logoMatches.value = undefined;
      announcement.value = "";
      dismissedHere.value = new Set();
      void untracked(() => loadMatches());
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
