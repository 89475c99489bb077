/** `edgeproof eval`: its options and help. */
import { choice, declare, flag, given, required, requiredList, time } from "../declare.ts";
import {
  acceptOptions,
  coverageConflict,
  coverageOptions,
  formatOptions,
  watchOption,
} from "../options/output.ts";
import { requestFiles, requestsMeaning } from "../options/requests.ts";
import { partialOption, profileOption, worldMeaning, worldOption, zonesOption } from "../options/world.ts";

export const evaluate = declare({
  name: "eval",
  summary: "Evaluate simulated requests against the rules of a world.",
  about: [
    "A request is a JSON object: url, and optionally method (default GET), headers (an object or a list of pairs), name, zone, now, expect (an action, or an object with action, rule and logged) and token ({config, kid, alg, state}: minted for the request, with a new key in the zone). Each request is evaluated as the edge does: operation, rules, token, verdict.",
  ],
  options: {
    request: given(requiredList(requestFiles, requestsMeaning), "suites"),
    ...worldOption,
    world: given(required(worldOption.world, worldMeaning), "worlds"),
    zone: {
      ...zonesOption.zone,
      help: "Zone of the requests. Default: the zone whose name the host ends with.",
    },
    now: time("RFC 3339 time at which the requests arrive. Default: now."),
    expect: choice(
      ["allow", "log", "block", "challenge"],
      "allow, log, block or challenge: exit with 1 when a verdict differs.",
      "action",
    ),
    explain: flag("Print the explanation of each verdict."),
    ...coverageOptions,
    ...formatOptions,
    ...acceptOptions,
    ...watchOption,
    ...profileOption,
    ...partialOption,
  },
  exits: {
    0: "Requests were evaluated, and every verdict is decided and as expected, if one was expected.",
    1: "A verdict differs from the expected one or is undecided, or there was no request.",
  },
  examples: [
    "edgeproof eval --world world.json --request requests.json",
    "edgeproof eval --world world.json --request requests.json --expect allow --json",
    `echo '{"url":"https://api.example.com/"}' | edgeproof eval --world world.json --request - --explain`,
    "edgeproof eval --world world.json --request suite.json --coverage html --coverage-out coverage.html",
  ],
  schema: "eval",
  conflict: coverageConflict,
});
