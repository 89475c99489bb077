/** Finds the best places of a logo on a prepared page, before calibration. */

import { runSteps, type Steps } from "../../../core/work/steps.ts";
import { fittedPositions, minFittedCosine, smallCost, verifiedPositions } from "./dense-tuning.ts";
import type { PreparedPage } from "./prepare-page.ts";
import { type Position, searchPositions } from "./search-positions.ts";
import type { Template, TemplateKind } from "./templates.ts";
import { boxOfFit, type Fit, fitBox, type LogoBox, type Verification, verifyFit } from "./verify-box.ts";

/** A place of a logo. */
export interface Place extends Verification {
  readonly fit: Fit;
  /** The box of the logo on the prepared page, in pixels; it may exceed the page. */
  readonly box: LogoBox;
}

/** The verified places of each kind. */
export type PlacesByKind = Readonly<Record<TemplateKind, readonly Place[]>>;

/** The places of several logos, each given as its templates; logos may share templates. */
export function findPlaces(page: PreparedPage, logos: readonly (readonly Template[])[]): PlacesByKind[] {
  return runSteps(findPlacesSteps(page, logos));
}

/** The same in steps. */
export function* findPlacesSteps(
  page: PreparedPage,
  logos: readonly (readonly Template[])[],
): Steps<PlacesByKind[]> {
  const searched = [...new Set(logos.flat())];
  const found = yield* searchPositions(page, searched);
  const positionsOf = new Map(searched.map((template, i) => [template, found[i] ?? []]));
  const places: PlacesByKind[] = [];
  for (const templates of logos) {
    const positions = templates.map((template) => positionsOf.get(template) ?? []);
    const ofKind = (kind: TemplateKind) =>
      verifiedPlaces(
        page,
        positions.filter((_, i) => templates[i]?.kind === kind),
      );
    places.push({ full: ofKind("full"), silhouette: ofKind("silhouette") });
    yield;
  }
  return places;
}

function verifiedPlaces(page: PreparedPage, positions: readonly (readonly Position[])[]): readonly Place[] {
  const [perTemplate, perKind] = fittedPositions;
  const fits = positions
    .flatMap((each) => each.slice(0, perTemplate))
    .sort((a, b) => rankOf(b) - rankOf(a))
    .slice(0, perKind)
    .map((position) => fitBox(page, position))
    .filter(({ cosine }) => cosine >= minFittedCosine)
    .sort((a, b) => rankOf(b) - rankOf(a));
  return fits
    .slice(0, verifiedPositions)
    .map((fit) => ({ ...verifyFit(page, fit), fit, box: boxOfFit(fit) }));
}

/** The order of positions: small templates are similar to more places. */
function rankOf({ cosine, template }: Pick<Position, "cosine" | "template">): number {
  return cosine - (template.small ? smallCost : 0);
}
