/** `edgeproof eval`: its options and help. */
import { runCommand } from "../../core/text/run-command.ts";
import { choice, declare, flag, given, renamed, required, time, type ValuesOf } from "../declare.ts";
import {
  acceptOptions,
  coverageConflict,
  coverageOptions,
  formatOptions,
  watchOption,
} from "../options/output.ts";
import { givenOption, requestFiles, requestOptions, requestsMeaning } from "../options/requests.ts";
import { partialOption, profileOption, worldMeaning, worldOption, zonesOption } from "../options/world.ts";
import { camelCase } from "../parse.ts";

export const evaluate = declare({
  name: "eval",
  summary: "Evaluate simulated requests against the rules of a world.",
  about: [
    "An address is one request, with the letters of curl for its method, headers, body and cookies: `-X POST -H 'x-plan: free' -d 'a=1'`. --requests reads files of requests.",
    "A request of a file is a JSON object: url, and optionally method (default GET), headers (an object or a list of pairs), name, zone, now, expect (an action, a kind of challenge, or an object with action, rule and logged) and token ({config, kid, alg, state}: minted for the request, with a new key in the zone). Each request is evaluated as the edge does: operation, rules, token, verdict.",
  ],
  arguments: {
    usage: "[address]",
    min: 0,
    max: 1,
    expected: "at most 1 address",
    insteadOf: ["requests"],
  },
  options: {
    requests: given(renamed(requestFiles, "request"), "suites"),
    ...requestOptions,
    ...givenOption,
    ...worldOption,
    world: given(required(worldOption.world, worldMeaning), "worlds"),
    zone: {
      ...zonesOption.zone,
      help: "Zone of the requests. Default: the zone whose name the host ends with.",
    },
    now: time("RFC 3339 time at which the requests arrive. Default: now."),
    expect: choice(
      ["allow", "log", "block", "challenge", "js_challenge", "managed_challenge"],
      "allow, log, block or challenge, or a kind of challenge such as managed_challenge: exit with 1 when a verdict differs.",
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
    "edgeproof eval --world plan.json https://api.example.com/orders -X POST -H 'x-plan: free' --expect block",
    "edgeproof eval --world world.json --requests requests.json",
    "edgeproof eval --world world.json --requests requests.json --expect allow --json",
    "edgeproof eval --world world.json https://api.example.com/ --given ip.src.country=DE --explain",
    `echo '{"url":"https://api.example.com/"}' | edgeproof eval --world world.json --requests - --explain`,
    "edgeproof eval --world world.json --requests suite.json --coverage html --coverage-out coverage.html",
  ],
  schema: "eval",
  conflict: (options, [address]) => {
    const { requests } = options;
    if (address !== undefined && requests.length > 0)
      return "expected an address or files of requests; found both: leave out --requests";
    if (address === undefined && (requests.length === 0 || requests.includes("")))
      return `--requests is missing; ${requestsMeaning}; or pass the address of one request`;
    const own = Object.keys(requestOptions).find((name) => isGiven(options, name));
    if (address === undefined && own !== undefined)
      return `--${own} is of one request, whose address is missing: \`${runCommand} eval --world world.json https://api.example.com/\``;
    return coverageConflict(options);
  },
});

/** Whether an option of one request has a value. */
function isGiven(values: ValuesOf<typeof requestOptions>, name: string): boolean {
  const value = Object.entries(values).find(([key]) => key === camelCase(name))?.[1];
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
