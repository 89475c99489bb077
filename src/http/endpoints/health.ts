/** The health of the server, for probes: without credentials, on every host (`chosen`). */
import { z } from "zod";
import { bare } from "../../schemas/envelope.ts";
import type { Services } from "../../service/services.ts";
import { worldScope } from "../../store/records/world.ts";
import { type Endpoint, endpoint, healthPath } from "./endpoint.ts";

/** Time within which the store must answer, in milliseconds (`chosen`). */
const maxStoreMs = 5_000;

const status = <Value extends string>(value: Value) => bare(z.strictObject({ status: z.literal(value) }));

export const healthEndpoints: readonly Endpoint[] = [
  endpoint({
    id: "health",
    area: "shared",
    method: "GET",
    path: healthPath,
    mount: "origin",
    summary: "Whether the store answers",
    response: status("ok"),
    unavailable: status("unavailable"),
    handle: async ({ services }) =>
      (await answers(services))
        ? { bare: { status: "ok" } }
        : Response.json({ status: "unavailable" }, { status: 503 }),
  }),
];

async function answers({ store }: Services): Promise<boolean> {
  const read = store
    .read((tx) => tx.count("api_tokens", worldScope))
    .then(
      () => true,
      () => false,
    );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), maxStoreMs);
  });
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}
