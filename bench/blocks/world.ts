/** A world that is as full as the limits allow, or as a start can take. */
import type { World } from "edgeproof";
import { mintKey } from "edgeproof/testing";

/** Sizes of the full world. */
export const worldSizes = {
  rules: 10_000,
  operations: 5_000,
  queries: 300,
  observed: 50_000,
  variants: 100,
  applications: 1_000,
  zones: 1_000,
} as const;

const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));

/** @param isFull whether it has as much of everything as it can have, or one of each */
export async function createWorld(isFull: boolean): Promise<World> {
  const size = (name: keyof typeof worldSizes) => (isFull ? worldSizes[name] : 1);
  const { jwk } = await mintKey("ES256");
  const config = "0123abcd-0123-4abc-8def-0123456789ab";
  const paths = (i: number) => `/v1/orders-${i}/{id}`;
  return {
    accounts: [
      {
        id: "a1",
        images: {
          account_hash: "shop-images",
          variants: list(size("variants"), (i) => ({
            id: `v${i}`,
            options: { fit: "cover", width: i + 1, height: 100, metadata: "none" },
          })),
        },
        brand: {
          queries: list(size("queries"), (i) => ({
            tag: `q${i}`,
            string_matches: list(10, (k) => ({ pattern: `brandname${i}x${k}`, max_edit_distance: 1 })),
          })),
          observed: list(size("observed"), (i) =>
            i % 50 === 0 ? `brandname${i % 9}x1.example` : `n${i}.example`,
          ),
        },
      },
    ],
    zones: [
      {
        id: "full",
        name: "example.com",
        account_id: "a1",
        token_validation: {
          configs: [
            {
              id: config,
              title: "t",
              description: "d",
              token_type: "JWT",
              token_sources: ['http.request.headers["authorization"][0]'],
              credentials: { keys: [jwk] },
            },
          ],
          operations: list(size("operations"), (i) => ({
            operation_id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
            method: "GET",
            host: "api.example.com",
            endpoint: paths(i),
          })),
          rules: list(size("rules"), (i) => ({
            title: `rule ${i}`,
            description: "d",
            action: "log",
            enabled: true,
            expression: `is_jwt_valid("${config}")`,
            selector: { include: [{ host: ["api.example.com"] }] },
          })),
        },
        proxy: {
          applications: list(size("applications"), (i) => ({
            protocol: `tcp/${i + 1}`,
            dns: { type: "CNAME", name: `n${i}.example.com` },
            origin_direct: ["tcp://203.0.113.9:22"],
          })),
        },
      },
      ...list(size("zones"), (i) => ({ id: `z${i}`, name: `zone-${i}.example`, account_id: "a1" })),
    ],
  } as World;
}
