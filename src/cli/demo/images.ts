/** The images section of the demo: a photograph rendered with every fit, and delivered by signed addresses. */
import { createEdge, type Edge } from "../../edge.ts";
import { fits } from "../../engine/images/render/variant.ts";
import { signAddress } from "../../engine/images/signing.ts";
import { validateImage } from "../../engine/images/validate-image.ts";
import type { DemoTable } from "./demo-table.ts";
import { photo, photoCopyright } from "./photo.ts";

const account = "demo";
const key = { name: "default", value: "a-demo-key-is-not-secret" };
const box = { width: 400, height: 256, metadata: "copyright" } as const;
const hourSeconds = 3_600;
/** The time of the section, in seconds since 1970: a message names it, so it is the same in every run. */
const now = Date.UTC(2026, 0, 1) / 1000;

export async function imagesSection(): Promise<readonly DemoTable[]> {
  const variants = fits.map((fit) => ({ id: fit, options: { ...box, fit } }));
  const images = { signing_keys: [key], variants };
  const edge = createEdge({ world: { accounts: [{ id: account, images }] }, clock: () => now * 1000 });
  const shown = await upload(edge, false);
  const fitted = await Promise.all(fits.map((fit) => fitRow(edge, fit, addressOf(shown, fit))));
  const addresses = await addressRows(edge, addressOf(await upload(edge, true), "cover"));
  return [
    {
      area: "images",
      title:
        "Image hosting: a rotated photograph (EXIF orientation 6) of 480 x 320 pixels, fitted into 400 x 256",
      header: ["fit", "pixels", "bytes", "type", "copyright notice"],
      rows: fitted,
    },
    {
      area: "images",
      title: "The same photograph, uploaded with requireSignedURLs:",
      header: ["status", "address", "reason"],
      rows: addresses,
    },
  ];
}

interface ShownImage {
  readonly variants: readonly string[];
}

async function upload(edge: Edge, requireSignedURLs: boolean): Promise<ShownImage> {
  const form = new FormData();
  form.append("file", new Blob([photo as Uint8Array<ArrayBuffer>]), "harbor.jpg");
  form.append("requireSignedURLs", String(requireSignedURLs));
  const url = `https://edge.test/client/v4/accounts/${account}/images/v1`;
  const headers = { authorization: "Bearer demo" };
  const response = await edge.fetch(new Request(url, { method: "POST", headers, body: form }));
  return ((await response.json()) as { result: ShownImage }).result;
}

function addressOf({ variants }: ShownImage, variant: string): string {
  return variants.find((address) => address.endsWith(`/${variant}`)) ?? "";
}

async function fitRow(edge: Edge, fit: string, address: string): Promise<string[]> {
  const response = await edge.fetch(new Request(address));
  const bytes = Buffer.from(await response.arrayBuffer());
  const validated = await validateImage(bytes);
  const pixels = validated.ok ? `${validated.value.width} x ${validated.value.height}` : "";
  const type = response.headers.get("content-type") ?? "";
  return [fit, pixels, String(bytes.length), type, bytes.includes(photoCopyright) ? photoCopyright : "none"];
}

async function addressRows(edge: Edge, address: string): Promise<string[][]> {
  const samples: readonly (readonly [string, string])[] = [
    ["signed, for another hour", signAddress(address, key.value, now + hourSeconds)],
    ["signed, expired an hour ago", signAddress(address, key.value, now - hourSeconds)],
    ["signed with another key", signAddress(address, "another key", now + hourSeconds)],
    ["not signed", address],
  ];
  return Promise.all(
    samples.map(async ([title, url]) => {
      const response = await edge.fetch(new Request(url));
      return [String(response.status), title, response.ok ? "" : await response.text()];
    }),
  );
}
