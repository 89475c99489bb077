/** Asks the server part for data. */
import { type PictureFacts, pictureHeader } from "../../src/workbench/image-messages.ts";
import type { RejectedPart, Rejection } from "../../src/workbench/messages.ts";
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

/** Reads data. @throws {DataError} */
export function readData<T>(name: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  const search = new URLSearchParams(query).toString();
  return receive<T>(`/data/${name}${search === "" ? "" : `?${search}`}`, {});
}

/** Sends JSON. @throws {DataError} */
export function sendData<T>(name: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return receive<T>(`/data/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
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

async function receive<T>(path: string, init: RequestInit): Promise<T> {
  return (await (await request(path, init)).json()) as T;
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
