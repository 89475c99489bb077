/** 13002 (`spec`): the availability of the protocol for the zone. */
import { type PortRange, printPorts } from "../grammar/port.ts";
import type { Candidate } from "../read/candidate.ts";
import { type Check, type CheckDescription, type CheckRule, check, missing, type Written } from "./check.ts";
import { direct, world } from "./samples.ts";

/** A protocol and those of its edge ports that are not available. */
interface UnavailablePorts {
  readonly protocol: string;
  readonly ports: readonly PortRange[];
}

/** Maximum number of ranges that a message lists. */
const maxListed = 8;

function list(ports: readonly PortRange[]): string {
  const more = ports.length - maxListed;
  return ports.slice(0, maxListed).map(printPorts).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function unavailable(protocol: string, ports: readonly PortRange[]): readonly UnavailablePorts[] | undefined {
  return ports.length > 0 ? [{ protocol, ports }] : undefined;
}

type ProtocolEntry = Omit<Written, "code" | "phase" | "bad"> &
  Pick<CheckRule<Candidate, UnavailablePorts>, "find" | "message">;

function protocolCheck(entry: ProtocolEntry & { readonly bad: CheckDescription["bad"] }): Check<Candidate> {
  return check<Candidate, UnavailablePorts>({
    ...entry,
    code: 13002,
    phase: "protocol",
    pointers: () => ["/protocol"],
  });
}

/** Checks of the protocol phase. */
export const protocolChecks: readonly Check<Candidate>[] = [
  protocolCheck({
    id: "protocol-outside-plan",
    facts: ["protocols.allowed"],
    rule: "All edge ports of the protocol are among those of the zone's plan.",
    why: "Plans differ in the protocols that they include.",
    fix: "Use a protocol and ports of the plan, or change the plan.",
    find: ({ app, protocol }, { allowed }) =>
      allowed ? unavailable(app.protocol, allowed.outside(protocol)) : missing("protocols.allowed"),
    message: ({ protocol, ports }) =>
      `The protocol \`${protocol}\` is not available for the zone; its edge ports ${list(ports)} are not in the plan.`,
    bad: { body: direct, facts: { ...world, protocols: { allowed: ["tcp/80", "udp/22"], reserved: [] } } },
    good: { body: direct, facts: { ...world, protocols: { allowed: ["ssh"], reserved: [] } } },
  }),
  protocolCheck({
    id: "protocol-reserved",
    facts: ["protocols.reserved"],
    rule: "No edge port of the protocol is reserved.",
    why: "The service itself uses some ports, mainly UDP ports.",
    fix: "Use other edge ports.",
    find: ({ app, protocol }, { reserved }) =>
      reserved ? unavailable(app.protocol, reserved.inside(protocol)) : missing("protocols.reserved"),
    message: ({ protocol, ports }) =>
      `The protocol \`${protocol}\` is not available for the zone; its edge ports ${list(ports)} are reserved.`,
    bad: {
      body: { ...direct, protocol: "udp/53", origin_direct: ["udp://192.0.2.1:53"] },
      facts: { ...world, protocols: { ...world.protocols, reserved: ["udp/53"] } },
    },
    good: {
      body: { ...direct, protocol: "tcp/53" },
      facts: { ...world, protocols: { ...world.protocols, reserved: ["udp/53"] } },
    },
  }),
];
