/** Asks for data: the server part over HTTP, or the engines of the page. The screens do not know which. */
import { type PictureFacts, pictureHeader } from "../../src/workbench/image-messages.ts";
import type { RejectedPart, Rejection } from "../../src/workbench/messages.ts";
import type { Progress } from "../../src/workbench/playground-messages.ts";
import { sessionToken } from "./session.ts";

const tokenHeader = "x-edgeproof-session";

/** A request that was rejected, or that did not arrive. */
export class DataError extends Error {
  override readonly name = "DataError";
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  readonly problems: readonly RejectedPart[];

  constructor(message: string, status: number, problems: readonly RejectedPart[] = []) {
    super(message);
    this.status = status;
    this.problems = problems;
  }
}

/** Where the data of the screens comes from. Results are JSON values; rejections are DataErrors. */
export interface DataSource {
  read(name: string, query: Readonly<Record<string, string>>): Promise<unknown>;
  /**
   * @param signal ends the work; then the promise rejects with an AbortError
   * @param onProgress receives how much of a long work is done, where the source knows it
   */
  send(
    name: string,
    body: unknown,
    signal?: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<unknown>;
}

/** The server part. */
const overHttp: DataSource = {
  read: (name, query) => {
    const search = new URLSearchParams(query).toString();
    return receive(`/data/${name}${search === "" ? "" : `?${search}`}`, {});
  },
  send: (name, body, signal) =>
    receive(`/data/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    }),
};

let source = overHttp;

/** Replaces the source of data, before the first screen is shown. */
export function useDataSource(other: DataSource): void {
  source = other;
}

/** Reads data. @throws {DataError} */
export function readData<T>(name: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return source.read(name, query) as Promise<T>;
}

/** Sends JSON. @throws {DataError} */
export function sendData<T>(
  name: string,
  body: unknown,
  signal?: AbortSignal,
  onProgress?: (progress: Progress) => void,
): Promise<T> {
  return source.send(name, body, signal, onProgress) as Promise<T>;
}

/** A response whose body is a stream. @throws {DataError} */
export function openStream(
  name: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  return request(`/data/${name}?${new URLSearchParams(query)}`, { signal });
}

/** Reads a picture with what is known of it. @throws {DataError} */
export function readPicture(name: string, query: Readonly<Record<string, string>>): Promise<LoadedPicture> {
  return receivePicture(`/data/${name}?${new URLSearchParams(query)}`, {});
}

/** Sends a file, and receives a picture. @throws {DataError} */
export function sendFile(
  name: string,
  query: Readonly<Record<string, string>>,
  file: Blob | undefined,
): Promise<LoadedPicture> {
  const headers = { "content-type": "application/octet-stream" };
  return receivePicture(`/data/${name}?${new URLSearchParams(query)}`, {
    method: "POST",
    headers,
    body: file ?? "",
  });
}

/** A picture in memory, and what is known of it. */
export interface LoadedPicture {
  readonly blob: Blob;
  readonly facts: PictureFacts;
}

async function receivePicture(path: string, init: RequestInit): Promise<LoadedPicture> {
  const response = await request(path, init);
  const facts = JSON.parse(response.headers.get(pictureHeader) ?? "{}") as PictureFacts;
  return { blob: new Blob([await response.arrayBuffer()], { type: facts.type }), facts };
}

async function receive(path: string, init: RequestInit): Promise<unknown> {
  return (await request(path, init)).json();
}

async function request(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(tokenHeader, sessionToken() ?? "");
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, cache: "no-store" });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new DataError("The server does not answer. Is the command still running?", 0);
  }
  if (response.ok) return response;
  const { message, problems } = (await response
    .json()
    .catch(() => ({ message: response.statusText, problems: [] }))) as Rejection;
  throw new DataError(message, response.status, problems);
}

/** The message of any error, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
