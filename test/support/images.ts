/** Image hosting in a test: forms, and a client of one account. */
import { createEdge, type Edge, type EdgeOptions } from "../../src/edge.ts";
import { plain } from "../engine/images/pictures.ts";
import { type Client, clientOf, type Json, jsonOf } from "./client.ts";
import { validating } from "./interface.ts";

export const origin = "https://edge.test";

/** A small PNG, different for each color. */
export function png(red = 10, width = 40, height = 30): Promise<Buffer> {
  return plain(width, height, [red, 120, 30]).png().toBuffer();
}

export type FormParts = Readonly<Record<string, string | Uint8Array | undefined>>;

/** A form; bytes become a file. */
export function formOf(parts: FormParts, filename = "a.png"): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === "string") form.append(name, value);
    else if (value) form.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), filename);
  }
  return form;
}

export interface ImageSetting {
  readonly edge: Edge;
  /** Paths start after `/images`. */
  readonly client: Client;
  post(path: string, parts: FormParts, filename?: string): Promise<Response>;
  /** Uploads and returns the result; a small PNG without a file or url. */
  upload(parts?: FormParts): Promise<Json>;
  /** A request without credentials to an address of a response. */
  at(address: string, init?: RequestInit): Promise<Response>;
}

export function imageSetting(options: EdgeOptions = {}, account = "a1"): ImageSetting {
  const edge = createEdge(options);
  const fetch = validating(edge.fetch);
  const prefix = `/accounts/${account}/images`;
  const post = (path: string, parts: FormParts, filename?: string) => {
    const headers = { authorization: "Bearer t" };
    const url = `${origin}/client/v4${prefix}${path}`;
    return fetch(new Request(url, { method: "POST", headers, body: formOf(parts, filename) }));
  };
  return {
    edge,
    client: clientOf(edge, prefix),
    post,
    upload: async (parts = {}) => {
      const source = parts["file"] || parts["url"] ? {} : { file: await png() };
      const response = await post("/v1", { ...source, ...parts });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return (await jsonOf(response)).result;
    },
    at: (address, init) => {
      const url = new URL(address, origin);
      // On a separate delivery host, paths have another meaning.
      return (url.origin === origin ? fetch : edge.fetch)(new Request(url, init));
    },
  };
}

/** All records of an account, and all blobs. */
export async function storedImages(
  { store }: Edge,
  account = "a1",
): Promise<{ images: Json[]; blobs: string[] }> {
  const images = await store.read((tx) => tx.find("images", account));
  const blobs: string[] = [];
  for await (const key of store.blobs.keys()) blobs.push(key);
  return { images, blobs };
}
