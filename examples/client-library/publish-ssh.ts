/** Publishes a server's SSH port through the edge. */
import type Provider from "cloudflare";

/** Creates the application, or returns the id of the existing one. */
export async function publishSsh(
  client: Provider,
  zone_id: string,
  name: string,
  server: string,
): Promise<string> {
  for await (const app of client.spectrum.apps.list({ zone_id })) {
    if ("dns" in app && app.dns?.name === name) return app.id;
  }
  const { id } = await client.spectrum.apps.create({
    zone_id,
    protocol: "tcp/22",
    dns: { type: "CNAME", name },
    origin_direct: [`tcp://${server}:22`],
    ip_firewall: true,
  });
  return id;
}
