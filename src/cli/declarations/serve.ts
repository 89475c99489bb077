/** `edgeproof serve`: its options and help. */
import { UsageError } from "../command.ts";
import { declare, flag, list } from "../declare.ts";
import { jsonOption } from "../options/output.ts";
import {
  adminConflict,
  adminOptions,
  corsConflict,
  edgeOptions,
  faultOptions,
  serverOptions,
  workbenchOptions,
} from "../options/server.ts";
import { blobsConflict } from "../options/stores.ts";

export const serve = declare({
  name: "serve",
  summary: "Serve the whole interface over HTTP on this machine.",
  about: [
    "Runs an HTTP server with every endpoint of the interface until it is stopped; then requests in progress are answered. GET /livez reports that the server answers, GET /readyz whether the store does. Any bearer token is accepted unless the world file lists API tokens. Data is kept in memory and lost when the server ends, unless --data names a store.",
    "With --data and --world, the accounts, zones, facts, operations and API tokens of the store follow the world file on every start; what requests created stays. Each difference is one line on standard error.",
    "POST /transform and POST /info are the service of the Images binding of a Worker in workerd, which calls the host js.images.cloudflare.com: allow it with --allow-host.",
    "With --data, the options --brand-* and the limits logoBytes and logoPixels are stored with every account when they are given, and hold for all processes on the store; what is not given stays as it is stored.",
  ],
  options: {
    ...edgeOptions,
    ...serverOptions,
    "fetch-urls": flag(
      "Fetch the images of uploads by `url` and of /cdn-cgi/image/, from public addresses only.",
    ),
    "fetch-private": flag(
      "Fetch the images of uploads by `url` and of /cdn-cgi/image/, from loopback and private addresses too.",
    ),
    "zone-host": list(
      "host=zone",
      "Host name that counts as a zone's in /cdn-cgi/image/, with the zone's id or name, such as 127.0.0.1=example.com. Repeatable.",
      (word, name) => {
        if (/^[^=]+=[^=]+$/.test(word)) return word;
        throw new UsageError(`${name} must be host=zone, such as 127.0.0.1=example.com; found \`${word}\``);
      },
    ),
    ingest: flag("Accept observed names and pictures by POST; without API tokens from this machine only."),
    workbench: flag(
      "Also serve the workbench: a page with the log of the server and the verdicts on requests. Its address is printed.",
    ),
    ...workbenchOptions,
    ...faultOptions,
    ...adminOptions,
    ...jsonOption,
  },
  exits: {
    0: "The server was stopped (Ctrl-C or SIGTERM).",
    1: "The world lacks a rule, key or host; --partial starts without it.",
  },
  examples: [
    "edgeproof serve --port 8787",
    "edgeproof serve --data ./edge.db",
    "edgeproof serve --host 0.0.0.0 --allow-host edgeproof --log json",
    "edgeproof serve --world world.json --profile provider",
    "edgeproof serve --world world.json --workbench",
    "edgeproof serve --world world.json --zone-host 127.0.0.1=example.com --fetch-private",
    "edgeproof serve --data ./edge.db --ingest",
    "edgeproof serve --allow-host js.images.cloudflare.com",
    "edgeproof serve --profile provider --envelopes everywhere --limit rulesPerZone=50",
    "edgeproof serve --allow-faults --faults faults.json --admin-port 8789",
    'curl -H "authorization: Bearer any" http://127.0.0.1:8787/client/v4/zones/z1/token_validation/rules',
  ],
  schema: "serve",
  conflict: (options) => blobsConflict(options) ?? corsConflict(options) ?? adminConflict(options),
});
