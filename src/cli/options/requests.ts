/** The option of commands that read requests. */
import { list, type Option, paths } from "../declare.ts";

export const requestFiles: Option<readonly string[]> = paths(
  list(
    "file",
    "JSON file with a request or an array of requests, or a pattern such as `suites/*.json`; `-` reads standard input. Repeatable.",
  ),
);

/** The end of the message of commands that need requests. */
export const requestsMeaning = "it must name a file of requests, or be `-` for standard input";
