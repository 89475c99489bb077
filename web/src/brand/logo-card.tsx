/** A scanned picture with the place of the logo, and the logo itself. */
import type { LogoMatchView } from "../../../src/workbench/brand-messages.ts";
import { accountId } from "../overview.ts";
import { FetchedPicture } from "../parts/fetched-picture.tsx";
import type { ChosenQuery } from "./brand-state.ts";
import { DismissButton } from "./dismiss-button.tsx";
import { dayOf } from "./name-item.tsx";

/** The logo that is looked for. */
export function LogoOfQuery({ query }: { readonly query: ChosenQuery }) {
  const asked = { account: accountId.value, query: query.id };
  return (
    <div class="logo-query">
      <FetchedPicture key={query.id} name="brand/picture" query={asked} alt={`Logo: ${query.tag}`} />
      <p class="quiet">Pictures that show this logo with a score from {query.threshold.toFixed(2)}.</p>
    </div>
  );
}

const kinds: Readonly<Record<string, string>> = {
  copy: "the whole picture",
  region: "in a region",
  dense: "by a search of all places",
};

interface LogoCardProps {
  readonly match: LogoMatchView;
  readonly query: ChosenQuery;
}

/** The card of a match. */
export function LogoCard({ match, query }: LogoCardProps) {
  const { id, score, kind, box, domain, registrar, scan, matchedAtMs, isDismissed } = match;
  const name = domain || scan || `match ${id}`;
  const asked = { account: accountId.value, query: query.id, match: id };
  const place = box ? `, found at ${box.x}, ${box.y}, ${box.width} x ${box.height} pixels` : "";
  return (
    <li class={isDismissed ? "match dismissed" : "match"}>
      <FetchedPicture name="brand/picture" query={asked} alt={`Picture of ${name}${place}`} box={box} />
      <div class="match-head">
        <bdi class="name">{name}</bdi>
        <DismissButton match={match} name={name} />
      </div>
      <p class="facts">
        {isDismissed && <span class="chip">dismissed</span>}
        <span>
          score <strong>{score.toFixed(3)}</strong>
        </span>
        {kind !== undefined && <span>found {kinds[kind] ?? kind}</span>}
        {scan !== "" && scan !== name && <code>{scan}</code>}
        <span>{registrar === "" ? "registrar unknown" : registrar}</span>
        <span>{dayOf(matchedAtMs)}</span>
      </p>
    </li>
  );
}
