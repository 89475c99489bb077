/** An application to begin with. */

/** The text of an application that a zone accepts: its host name is in the domain of the zone. */
export function exampleApp(domain: string): string {
  const app = {
    protocol: "tcp/22",
    dns: { type: "CNAME", name: `ssh.${domain}` },
    origin_direct: ["tcp://192.0.2.1:22"],
  };
  return JSON.stringify(app, null, 2);
}
