/** Probes of the server: without credentials, on every host (`chosen`). */
import * as z from "zod";
import { bare } from "../../schemas/envelope.ts";
import { type Endpoint, endpoint, type ProbePath } from "./endpoint.ts";

const status = <Value extends string>(value: Value) => bare(z.strictObject({ status: z.literal(value) }));

const ok = { bare: { status: "ok" } };

/** Whether the store answers and takes writes. */
const ready = (id: "ready" | "health", path: ProbePath) =>
  endpoint({
    id,
    area: "shared",
    method: "GET",
    path,
    mount: "origin",
    summary: "Whether the store answers and takes writes",
    response: status("ok"),
    unavailable: status("unavailable"),
    handle: async ({ services }) =>
      (await services.health.isReady()) ? ok : Response.json({ status: "unavailable" }, { status: 503 }),
  });

export const healthEndpoints: readonly Endpoint[] = [
  endpoint({
    id: "live",
    area: "shared",
    method: "GET",
    path: "/livez",
    mount: "origin",
    summary: "Whether the server answers",
    response: status("ok"),
    handle: async () => ok,
  }),
  ready("ready", "/readyz"),
  ready("health", "/health"),
];
