/** The health of the server, for probes: without credentials, on every host (`chosen`). */
import * as z from "zod";
import { bare } from "../../schemas/envelope.ts";
import { type Endpoint, endpoint, healthPath } from "./endpoint.ts";

const status = <Value extends string>(value: Value) => bare(z.strictObject({ status: z.literal(value) }));

export const healthEndpoints: readonly Endpoint[] = [
  endpoint({
    id: "health",
    area: "shared",
    method: "GET",
    path: healthPath,
    mount: "origin",
    summary: "Whether the store answers and takes writes",
    response: status("ok"),
    unavailable: status("unavailable"),
    handle: async ({ services }) =>
      (await services.health.isHealthy())
        ? { bare: { status: "ok" } }
        : Response.json({ status: "unavailable" }, { status: 503 }),
  }),
];
