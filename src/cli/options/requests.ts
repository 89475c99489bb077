/** Options of commands that read requests, and of the one request of a command line. */
import { runCommand } from "../../core/text/run-command.ts";
import { UsageError } from "../command.ts";
import { alsoNamed, flag, letter, list, notInFile, type Option, paths, single } from "../declare.ts";

export const requestFiles: Option<readonly string[]> = paths(
  list(
    "file",
    "JSON file with a request or an array of requests, or a pattern such as `suites/*.json`; `-` reads standard input. Repeatable.",
  ),
);

/** The end of the message of commands that need requests. */
export const requestsMeaning = `it must name a file of requests (\`${runCommand} suite generate --format json\` prints one), or be \`-\` for standard input`;

/** A word that a pattern matches. @param must such as "must be `name: value`" */
const matching = (pattern: RegExp, must: string) => (word: string, name: string) => {
  if (pattern.test(word)) return word;
  throw new UsageError(`${name} ${must}; found \`${word}\``);
};

const ofOneRequest = <T>(option: Option<T>, of: string) => letter(notInFile(option, "is of one request"), of);

/** The options of the request of a command line, with the letters of curl. */
export const requestOptions = {
  method: ofOneRequest(
    single(
      "name",
      "Method of the request. Default: GET, with --data POST.",
      matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be a method such as `PUT`"),
    ),
    "X",
  ),
  header: ofOneRequest(
    list(
      "name: value",
      "Header of the request. Repeatable.",
      matching(/^[^@:;\s][^:;]*[:;]/, "must be `name: value`; files are not read"),
    ),
    "H",
  ),
  data: ofOneRequest(
    alsoNamed(
      list(
        "text",
        "Body of the request, also as --data-raw and --data-binary. Several are joined by `&`.",
        matching(/^(?!@)/, "must be the body itself: files are not read"),
      ),
      { "data-raw": "", "data-binary": "", "data-ascii": "" },
    ),
    "d",
  ),
  cookie: ofOneRequest(
    list(
      "name=value",
      "Cookies of the request. Repeatable.",
      matching(/=/, "must be `name=value`; files are not read"),
    ),
    "b",
  ),
  "user-agent": ofOneRequest(
    single("text", "Header user-agent of the request.", (word) => word),
    "A",
  ),
  user: ofOneRequest(
    single("name:password", "Basic authentication of the request.", (word) => word),
    "u",
  ),
  compressed: notInFile(
    alsoNamed(
      flag(
        "No effect, like --insecure, --location, --globoff and --silent: a command that a browser copies has them.",
      ),
      { insecure: "k", location: "L", globoff: "g", silent: "s" },
    ),
    "is of one request",
  ),
};

/** A field and its value. */
export interface GivenField {
  readonly name: string;
  readonly value: string;
}

export const givenOption = {
  given: list(
    "field=value",
    "Value of a field for each request that does not state it, such as `ip.src.country=DE` or `cf.bot_management.score=30`. Repeatable.",
    (word, name): GivenField => {
      const [, field, value] = /^([a-z][\w.]*)=(.*)$/s.exec(word) ?? [];
      if (field !== undefined && value !== undefined) return { name: field, value };
      throw new UsageError(
        `${name} must be \`field=value\`, such as \`ip.src.country=DE\`; found \`${word}\``,
      );
    },
  ),
};
