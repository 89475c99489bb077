/** `edgeproof replay`: its options and help. */
import { choice, declare, file, given, integer, required, text, time, usual } from "../declare.ts";
import { acceptOptions, formatOptions } from "../options/output.ts";
import { givenOption } from "../options/requests.ts";
import { partialOption, profileOption, worldMeaning, worldOption, zonesOption } from "../options/world.ts";

export const replay = declare({
  name: "replay",
  summary:
    "Replay recorded traffic (HAR, logs, curl) against a world: changed verdicts, same answer as the edge.",
  about: [
    "Reads recorded requests: HTTP archives (HAR) of browsers, Logpush records of HTTP requests (JSON Lines, plain or gzip, any size), access logs of nginx, ALB and CloudFront, Postman collections, and curl commands, which are never run. Each request is evaluated at its recorded time.",
    "A token that the recording redacted or stripped is never taken as missing: the request is not evaluated, unless --as assumes a token for it. With Logpush records the verdicts are compared with what the edge really did.",
    "Recorded tokens are secrets: the output has key ids and names of claims only, and paths without queries.",
  ],
  arguments: {
    usage: "<traffic...>",
    min: 1,
    expected: "at least 1 file of recorded traffic",
    areFiles: true,
  },
  options: {
    ...worldOption,
    world: given(required(worldOption.world, worldMeaning), "worlds"),
    against: file(
      "World file to compare with: reports the verdicts that change. Default: the edge's own answers, if recorded.",
    ),
    zone: {
      ...zonesOption.zone,
      help: "Zone of every request. Default: the zone whose name the host ends with.",
    },
    as: choice(
      ["valid", "missing", "expired"],
      "Evaluate requests with a redacted or stripped token as if it were valid, missing or expired.",
    ),
    ...givenOption,
    expect: file(
      "JSON file with the changes that are expected: an array of objects with rule, operation or host, and from, to.",
    ),
    "allow-changes": usual(
      integer(
        "number",
        { min: 0 },
        "Number of changed requests that are allowed beside the expected ones. Default: 0.",
      ),
      0,
    ),
    input: choice(
      ["har", "logpush", "curl", "postman", "nginx", "alb", "cloudfront"],
      "Format of the recorded traffic. Default: detected for each file.",
    ),
    host: text("name", "Host of the requests of a log that has none, such as the default format of nginx."),
    now: time("RFC 3339 time of requests whose recording has none, such as curl commands. Default: now."),
    ...formatOptions,
    ...acceptOptions,
    ...profileOption,
    ...partialOption,
  },
  exits: {
    0: "Every request has a verdict, and no verdict changed, or only as expected or allowed.",
    1: "More verdicts changed, a verdict is undecided, a host is of no zone, or there was nothing to compare.",
    130: "Stopped; the report covers the requests so far.",
  },
  examples: [
    "edgeproof replay --world world.json http_requests.ndjson.gz",
    "edgeproof replay --world new.json --against old.json http_requests.ndjson.gz",
    "edgeproof replay --world new.json --against old.json --as valid --expect changes.json traffic.har",
  ],
  schema: "replay",
});
