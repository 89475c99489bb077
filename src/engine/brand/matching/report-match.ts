/** From a hit to the match that is reported: places in the given text, technique, score. */

import type { DomainMatch, MatchMode, Span } from "../model.ts";
import type { Subject } from "../names/name-parts.ts";
import { sourceSpan } from "../names/source-span.ts";
import type { LaneHit } from "./channel-search.ts";
import type { PatternUse } from "./pattern-groups.ts";
import { scoreMatch } from "./score.ts";
import { nameTechnique, sceneOf } from "./technique.ts";

/** A pattern and its best hit. */
export interface Finding {
  readonly use: PatternUse;
  readonly hit: LaneHit;
}

/**
 * Describes what was found in a name.
 *
 * @param source the host as given
 */
export function describeFindings(
  findings: readonly Finding[],
  source: string,
  subject: Subject,
  mode: MatchMode,
): DomainMatch[] {
  const scene = sceneOf(subject);
  const isDirect = subject.points.length === source.length && source.toLowerCase() === subject.host;
  return findings.map(({ use, hit, hit: { distance, span, channel } }) => ({
    query_id: use.query_id,
    pattern_index: use.pattern_index,
    pattern: use.pattern,
    distance,
    span: isDirect ? copyOf(span) : sourceSpan(source, subject.host, span),
    host: subject.host,
    host_span: copyOf(span),
    mode,
    channel,
    technique: nameTechnique(use.forms(), hit, scene),
    score: scoreMatch(use.points.length, distance),
  }));
}

/** Matches share nothing, so that whoever changes one changes that one. */
function copyOf({ start, end }: Span): Span {
  return { start, end };
}
