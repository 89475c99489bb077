/** The time of generated suites. */

/** Time at which the requests arrive, in milliseconds since 1970: always the same, so that files do not change (`chosen`). */
export const suiteTimeMs = Date.UTC(2026, 0, 1);
