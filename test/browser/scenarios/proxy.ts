/** The validations of a valid application and of some with faults, as JSON. */
import { validateApp } from "edgeproof/proxy";

export function run(): unknown {
  const app = {
    protocol: "tcp/22",
    dns: { type: "CNAME", name: "ssh.example.com" },
    origin_direct: ["tcp://192.0.2.1:22"],
  };
  return [app, {}, { ...app, protocol: "tcp/70000" }, { ...app, origin_direct: ["tcp://[::1%]:22"] }].map(
    (body) => validateApp(body),
  );
}
