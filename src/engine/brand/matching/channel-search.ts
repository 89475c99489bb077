/** Searching one lane: a filter proposes patterns, the exact distance decides. */

import { type CandidateFilter, createFilter } from "../filters/filter.ts";
import type { Channel, MatchMode, Span } from "../model.ts";
import { type Alphabet, classCount, classOf, createAlphabet } from "../names/alphabet.ts";
import type { Name } from "../names/name.ts";
import { type Subject, searchedPart } from "../names/name-parts.ts";
import { originSpan, type View, viewOf } from "../names/view.ts";
import { createDistanceEngine, type DistanceEngine, type Ids } from "./distance.ts";
import type { Lane, LanePattern } from "./pattern-groups.ts";

/** A pattern found in a name. */
export interface LaneHit {
  readonly channel: Channel;
  readonly pattern: LanePattern;
  readonly distance: number;
  /** In code points of the host. */
  readonly span: Span;
}

export interface LaneSearch {
  readonly filter: CandidateFilter;
  /** Adds what is found in a name to `hits`. */
  search(name: Name, hits: LaneHit[]): void;
}

/** A part of a name in a channel, and its letters' ids. */
interface Letters {
  readonly view: View;
  readonly ids: readonly number[];
}

/** Letters in a word of the filter, whose rows are those of the label or those of the sought pattern. */
const wordLength = 64;

/** How all lanes of a matcher compare. */
export interface LaneSetting {
  readonly mode: MatchMode;
  readonly transpositions: boolean;
}

/**
 * Above this many labels the public suffix is looked up before labels are compared: a look-up costs about as much as
 * comparing a dozen labels.
 */
const maxLabelsTried = 8;

/** Makes the search of a lane. `alphabet` is the one that the classes of names are in; other channels bring their own. */
export function createLaneSearch(lane: Lane, setting: LaneSetting, plain: Alphabet): LaneSearch {
  const { channel } = lane;
  const alphabet = channel === "plain" ? plain : createAlphabet(lane.patterns.map(({ points }) => points));
  const patterns = lane.patterns.map(({ points, limit }) => ({ ids: points.map(alphabet.idOf), limit }));
  const filter = createFilter(patterns, setting);
  const longest = patterns.reduce((n, { ids }) => Math.max(n, ids.length), 0);
  const isExact = alphabet.size <= classCount;
  const engine = createDistanceEngine(alphabet.size, longest, setting.transpositions);

  /** The exact comparison of the patterns that the filter found in this part of a name. */
  function verifyFound(count: number, subject: Subject, part: Span, hits: LaneHit[]): void {
    let letters: Letters | undefined;
    for (let i = 0; i < count; i++) {
      const index = filter.found(i);
      const pattern = lane.patterns[index]!;
      if (canLocate(index, part)) {
        const found = filter.locate(i, part.start, part.end);
        if (found) hits.push({ channel, pattern, distance: found.distance, span: found.span });
        continue;
      }
      letters ??= lettersOf(subject, part);
      const { ids, limit } = patterns[index]!;
      const found = compare(engine, setting.mode, ids, letters.ids, limit);
      if (found === undefined) continue;
      const span = originSpan(letters.view, found.span, part.end);
      hits.push({ channel, pattern, distance: found.distance, span });
    }
  }

  /** The filter itself is exact while its classes are letters, its places are the host's, and its words are long enough. */
  function canLocate(index: number, part: Span): boolean {
    if (!isExact || channel !== "plain") return false;
    const length = setting.mode === "label" ? part.end - part.start : patterns[index]!.ids.length;
    return length <= wordLength;
  }

  function lettersOf(subject: Subject, part: Span): Letters {
    const view = viewOf(channel, subject.points, part.start, part.end);
    return { view, ids: view.points.map(alphabet.idOf) };
  }

  /** The public suffix is known: one exact part. */
  function searchPart(subject: Subject, hits: LaneHit[]): void {
    const part = searchedPart(subject, setting.mode, lane.dotted);
    if (part === undefined) return;
    const { view, ids } = lettersOf(subject, part);
    // Plain letters keep their places, so that those of the filter are those of the host.
    const at = channel === "plain" ? part.start : 0;
    ids.forEach((id, i) => {
      filter.text[at + i] = classOf(id);
    });
    verifyFound(filter.find(at, at + view.points.length), subject, part, hits);
  }

  /**
   * The suffix is looked up only when something is found in what is left when the last label is off: the public suffix is at
   * least that label, so nothing is missed.
   */
  function searchText(name: Name, hits: LaneHit[]): void {
    const last = name.labels > 1 && !lane.dotted ? name.labels - 2 : name.labels - 1;
    const count = filter.find(0, name.labelEnds[last]!);
    if (count === 0) return;
    const subject = name.subject();
    verifyFound(count, subject, searchedPart(subject, "contains", lane.dotted)!, hits);
  }

  /** Likewise each label but the last may be the registrable one; which it is matters only when something is found. */
  function searchLabels(name: Name, hits: LaneHit[]): void {
    const tried = name.labels > 1 ? name.labels - 1 : 1;
    for (let i = 0, start = 0; i < tried; i++) {
      const count = filter.find(start, name.labelEnds[i]!);
      if (count > 0) {
        const subject = name.subject();
        if (subject.label?.start === start) verifyFound(count, subject, subject.label, hits);
      }
      start = name.labelEnds[i]! + 1;
    }
  }

  const isLabel = setting.mode === "label";
  const needsSubject = channel !== "plain" || (isLabel && lane.dotted);

  return {
    filter,
    search(name, hits) {
      if (needsSubject || (isLabel && name.labels > maxLabelsTried)) return searchPart(name.subject(), hits);
      // The first lane's filter has the name already, because names are read into it.
      if (name.classes !== filter.text) filter.text.set(name.classes.subarray(0, name.length));
      if (isLabel) searchLabels(name, hits);
      else searchText(name, hits);
    },
  };
}

function compare(engine: DistanceEngine, mode: MatchMode, pattern: Ids, text: Ids, limit: number) {
  if (mode === "contains") return engine.within(pattern, text, 0, text.length, limit);
  const distance = engine.whole(pattern, text, 0, text.length, limit);
  return distance > limit ? undefined : { distance, span: { start: 0, end: text.length } };
}
