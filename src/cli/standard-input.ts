/** The path that names standard input. */
export const standardInput = "-";
