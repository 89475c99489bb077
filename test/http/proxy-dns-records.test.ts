/** A proxied DNS record on the host name of an application, which a world file or an import has. */
import { worldFrom } from "edgeproof/world";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { checkApplications } from "../../src/service/world/applications.ts";
import type { World } from "../../src/service/world/schema.ts";
import { clientOf, type Json } from "../support/client.ts";
import { isMissing, storeKinds } from "../support/stores.ts";

const kinds = await storeKinds();

const body = (name: string) => ({
  protocol: "tcp/22",
  dns: { type: "CNAME", name },
  origin_direct: ["tcp://192.0.2.1:22"],
});

const records = [
  { name: "SSH.example.com.", type: "A", proxied: true },
  { name: "git.example.com", type: "A", proxied: false },
  { name: "*.example.com", type: "A", proxied: true },
];

function worldWith(
  dns_records: NonNullable<World["zones"]>[number]["dns_records"],
  hosts: string[] = [],
): World {
  const proxy = hosts.length > 0 ? { proxy: { applications: hosts.map(body) } } : {};
  return { zones: [{ id: "z1", name: "example.com", ...(dns_records && { dns_records }), ...proxy }] };
}

const finding = {
  code: 10402,
  message: "The host name `ssh.example.com` has a proxied DNS record, to whose origin its HTTP requests go.",
  source: { pointer: "/dns/name" },
};

const notesOf = ({ messages }: Json) => messages.filter(({ code }: Json) => code !== 10403);

const kindNames = Object.keys(kinds).filter((kind) => !isMissing(kind));

test.each(kindNames)("%s: requests report the record, as long as the world has it", async (kind) => {
  const place = kinds[kind]!();
  const lines: string[] = [];
  const open = async (world: World) =>
    createEdge({ store: await place.open(), world, onNote: (line) => lines.push(line) });
  const first = await open(worldWith(records));
  const client = clientOf(first, "/zones/z1/app_service/apps");
  const created = await client.ok("POST", "", body("ssh.example.com"));
  expect(notesOf(created)).toEqual([finding]);
  expect(notesOf(await client.ok("POST", "", { ...body("git.example.com"), protocol: "tcp/23" }))).toEqual(
    [],
  );
  const path = `/${created.result.id}`;
  expect(notesOf(await client.ok("PATCH", path, { ip_firewall: true }))).toEqual([finding]);
  if (kind !== "memory") await first.close();
  const second = clientOf(await open(worldWith(undefined)), "/zones/z1/app_service/apps");
  expect(notesOf(await second.ok("PATCH", path, { ip_firewall: false }))).toEqual([]);
  expect(lines.filter((line) => line.includes("dns_records"))).toEqual([
    "world: changed zone `z1`: `dns_records` was removed",
  ]);
});

describe("the applications of a world", () => {
  test("are checked against its records, and are valid", () => {
    const world = worldWith(records, ["ssh.example.com", "git.example.com"]);
    const found = checkApplications(world, {}).map(({ validation }) => [
      validation.violations.length,
      validation.warnings.map(({ rule }) => rule),
    ]);
    expect(found).toEqual([
      [0, ["hostname-proxied-record"]],
      [0, []],
    ]);
    createEdge({ world });
  });
});

test("an import of Terraform has the proxied records of a zone with applications, by their whole names", () => {
  const resource = (type: string, name: string, values: object) => ({
    address: `${type}.${name}`,
    mode: "managed",
    type,
    name,
    provider_name: "registry.terraform.io/cloudflare/cloudflare",
    schema_version: 0,
    values,
  });
  const zone_id = "023e105f4ecef8ad9ca31a8372d0c353";
  const record = (name: string, proxied: boolean | null) =>
    resource("cloudflare_dns_record", `r_${name.length}`, { id: name, zone_id, name, type: "A", proxied });
  const resources = [
    resource("cloudflare_zone", "z", { id: zone_id, name: "example.com" }),
    resource("cloudflare_spectrum_application", "a", { zone_id, ...body("ssh.example.com") }),
    record("ssh", true),
    record("www.example.com", true),
    record("mail", false),
    record("@", null),
  ];
  const text = (list: readonly object[]) =>
    JSON.stringify({
      format_version: "1.0",
      terraform_version: "1.9.0",
      values: { root_module: { resources: list } },
    });
  const { world } = worldFrom([{ name: "state.json", text: text(resources) }]);
  expect(world.zones?.[0]?.dns_records).toEqual([
    { name: "ssh.example.com", type: "A", proxied: true },
    { name: "www.example.com", type: "A", proxied: true },
  ]);
  const [checked] = checkApplications(world, {});
  expect(checked?.validation.warnings.map(({ rule }) => rule)).toEqual(["hostname-proxied-record"]);
  const alone = worldFrom([{ name: "state.json", text: text(resources.filter((_, i) => i !== 1)) }]);
  expect(alone.world.zones?.[0]).not.toHaveProperty("dns_records");
});
