/** Turns a pattern match into the match that is reported: span in the given text, technique, score. */

import type { DomainMatch, Span } from "../model.ts";
import type { NameParts } from "../names/name-parts.ts";
import { sourceSpan } from "../names/source-span.ts";
import type { PatternMatch } from "./found-matches.ts";
import type { PatternUse } from "./pattern-sets.ts";
import { scoreMatch } from "./score.ts";
import { classifyTechnique, createNameContext } from "./technique.ts";

/** A pattern of a query and its best match. */
export interface BestMatch {
  readonly use: PatternUse;
  readonly match: PatternMatch;
}

/**
 * Describes the patterns that were found in a name.
 *
 * @param source the host as given
 */
export function describeMatches(found: readonly BestMatch[], source: string, name: NameParts): DomainMatch[] {
  const context = createNameContext(name);
  const isDirect = name.length === source.length && source.toLowerCase() === name.host;
  return found.map(({ use, match, match: { distance, span, channel, rule } }) => ({
    query_id: use.query_id,
    pattern_index: use.pattern_index,
    pattern: use.pattern,
    distance,
    span: isDirect ? copyOf(span) : sourceSpan(source, name.host, span),
    host: name.host,
    host_span: copyOf(span),
    mode: rule.mode,
    channel,
    technique: classifyTechnique(use.forms(), match, context),
    score: scoreMatch(use.points.length, distance),
  }));
}

/** Matches share no objects, so that a caller who changes one changes no other. */
function copyOf({ start, end }: Span): Span {
  return { start, end };
}
