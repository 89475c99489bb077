/** The observed part of a verdict in a comparison of two zones. */

/** Every {@link Observation}, from the least to the whole. */
export const observations = ["action", "effect", "decision"] as const;

/**
 * The part of a verdict that a comparison observes: its action; or also the effect of custom rules; or also the rule
 * that decided and the token rules that logged.
 */
export type Observation = (typeof observations)[number];
