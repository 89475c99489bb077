/** One story, run through each generated client: an application, a token configuration and an image. */

/** A public key as `node:crypto` exports it, with its id. */
export interface StoryInput {
  /** Sends a request to the handler. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The handler's address, with the base path. */
  readonly baseUrl: string;
  readonly key: {
    readonly alg: "ES256";
    readonly crv: "P-256";
    readonly kty: "EC";
    readonly kid: string;
    readonly x: string;
    readonly y: string;
  };
  readonly picture: Blob;
}

/** The results that the client returned. */
export interface StoryResult {
  /** The application after its PATCH. */
  readonly app: unknown;
  readonly keyIds: readonly string[];
  /** Ids of the images that pass a metadata filter. */
  readonly found: readonly string[];
}

export const ids = {
  zone_id: "023e105f4ecef8ad9ca31a8372d0c353",
  account_id: "123e105f4ecef8ad9ca31a8372d0c353",
} as const;

export const application = {
  protocol: "tcp/22",
  dns: { name: "ssh.example.com", type: "CNAME" },
  origin_direct: ["tcp://192.0.2.1:22"],
  tls: "full",
} as const;

export const uploads = [
  { id: "rome", metadata: '{"place":{"city":"Rome"}}' },
  { id: "oslo", metadata: '{"place":{"city":"Oslo"}}' },
] as const;

/** The value that a generated client must have returned. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError("The client returned no value");
  return value;
}
