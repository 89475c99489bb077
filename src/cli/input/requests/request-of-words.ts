/** The one request of a command line, which is read as the words of curl are. */
import { quote } from "../../../errors.ts";
import { startOf } from "../../../import/origin.ts";
import { readCurlWords } from "../../../import/traffic/curl.ts";
import { UsageError } from "../../command.ts";
import type { ValuesOf } from "../../declare.ts";
import type { requestOptions } from "../../options/requests.ts";
import { standardInput } from "../../standard-input.ts";
import type { ReadRequests } from "./request-files.ts";
import { parseRequests } from "./requests-file.ts";

type RequestValues = Omit<ValuesOf<typeof requestOptions>, "compressed">;

/** @throws {UsageError} for an address or a part that no request can have */
export function requestOfWords(url: string, values: RequestValues): ReadRequests {
  const { method, header, data, cookie, userAgent, user } = values;
  const repeated = (name: string, list: readonly (string | undefined)[]) =>
    list.flatMap((value) => (value === undefined ? [] : [name, value]));
  const words = [
    ...repeated("-X", [method]),
    ...repeated("-H", header),
    ...repeated("-d", data),
    ...repeated("-b", cookie),
    ...repeated("-A", [userAgent]),
    ...repeated("-u", [user]),
    "--globoff",
    "--url",
    url,
  ];
  const found: ReturnType<typeof readCurlWords>[number] | undefined = readCurlWords(words)[0];
  if (found === undefined || "reason" in found)
    throw new UsageError(`the address ${quote(url)} cannot be requested: ${found?.reason}`);
  const line = { method: found.method, url: found.url, headers: found.headers, ...found.given };
  const read = parseRequests(line);
  if (!read.ok) throw new UsageError(`the request is invalid: ${read.problems[0].message}`);
  return { requests: read.value, places: [startOf(standardInput)], files: ["the command line"] };
}
