/** The connection to the servers: it is made again without end, and each call waits for it within a limit. */
import { readFile } from "node:fs/promises";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { ConnectionOptions, NatsConnection } from "@nats-io/transport-node";
import { DependencyUnavailableError } from "../../errors.ts";
import { driverReason, unavailableFor } from "../../store/driver-reasons.ts";
import { loadPeers } from "../../store/peers.ts";
import { closedError } from "../port.ts";
import type { JetStreamSettings } from "./options.ts";
import { readServers } from "./servers.ts";

type Nats = typeof import("@nats-io/transport-node");

/** A connection of one queue. */
export interface Broker {
  readonly nats: Nats;
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Whether `close` was called. */
  isClosed(): boolean;
  /**
   * Runs a request when the servers are connected.
   *
   * @throws {DependencyUnavailableError} when they are not, or do not answer
   * @throws {TypeError} after `close`
   */
  call<T>(request: () => Promise<T>): Promise<T>;
  /** Calls a function when the connection is lost or closed. @returns a function that ends this */
  onLost(listener: () => void): () => void;
  close(): Promise<void>;
}

/** @throws {DependencyUnavailableError} when no server can be reached @throws {RangeError} for an invalid address */
export async function connectBroker(settings: JetStreamSettings): Promise<Broker> {
  const servers = readServers(settings);
  const [nats, jetstream] = await loadPeers(
    "the JetStream queue",
    "@nats-io/transport-node @nats-io/jetstream",
    () => Promise.all([import("@nats-io/transport-node"), import("@nats-io/jetstream")]),
  );
  const options = await connectionOptions(nats, settings, servers);
  const nc = await nats.connect(options).catch((error) => {
    throw unavailable(error, servers.hosts);
  });
  const limits = { timeout: settings.requestTimeoutMs };
  const jsm = await jetstream.jetstreamManager(nc, { ...limits, checkAPI: false });
  return createBroker({ nats, nc, jsm, js: jetstream.jetstream(nc, limits) }, settings, servers.hosts);
}

async function connectionOptions(
  nats: Nats,
  settings: JetStreamSettings,
  { hosts, isEncrypted, user, password, token }: ReturnType<typeof readServers>,
): Promise<ConnectionOptions> {
  const { credsFile, caFile, certFile, keyFile } = settings;
  return {
    servers: [...hosts],
    name: `edgeproof ${settings.name}`,
    timeout: settings.connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: settings.reconnectMs,
    pingInterval: settings.pingMs,
    maxPingOut: 2,
    // Servers that start again may reject users for a while.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(credsFile !== undefined && { authenticator: nats.credsAuthenticator(await readFile(credsFile)) }),
    ...((isEncrypted || certFile !== undefined) && {
      tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) },
    }),
  };
}

function createBroker(
  parts: Pick<Broker, "nats" | "nc" | "js" | "jsm">,
  { requestTimeoutMs }: JetStreamSettings,
  hosts: readonly string[],
): Broker {
  const { nc } = parts;
  const lost = new Set<() => void>();
  const back = new Set<() => void>();
  let isUp = true;
  let closing: Promise<void> | undefined;
  const notify = (listeners: Set<() => void>) => {
    for (const listener of [...listeners]) listener();
  };

  void (async () => {
    for await (const { type } of nc.status()) {
      if (type === "disconnect") {
        isUp = false;
        notify(lost);
      } else if (type === "reconnect") {
        isUp = true;
        notify(back);
      }
    }
  })();

  /** Requests are not written while there is no connection: they would be sent later, when no caller waits for them. */
  const connected = () =>
    new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        back.delete(isBack);
        lost.delete(isOver);
        settle();
      };
      const isBack = end(resolve);
      const isOver = end(() => reject(closedError()));
      const timer = setTimeout(
        end(() => reject(new DependencyUnavailableError(`the servers ${hosts} are not connected`))),
        requestTimeoutMs,
      );
      back.add(isBack);
      lost.add(isOver);
    });

  return {
    ...parts,
    isClosed: () => closing !== undefined,
    call: async (request) => {
      if (closing) throw closedError();
      if (!isUp) await connected();
      try {
        return await request();
      } catch (error) {
        throw closing ? closedError() : unavailable(error, hosts);
      }
    },
    onLost: (listener) => {
      lost.add(listener);
      return () => lost.delete(listener);
    },
    close: () => {
      closing ??= nc.close().then(() => notify(lost));
      return closing;
    },
  };
}

/** Code of the server: a limit of a stream is reached, which its description names. */
const limitReached = 10077;

/** Whether a stream did not add a message because it has reached a limit. */
export function isLimitReached(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && (error as { code?: unknown }).code === limitReached;
}

/** The error of a stream that is full. */
export function fullError(stream: string, error: Error): DependencyUnavailableError {
  return new DependencyUnavailableError(
    `the queue is full: the stream ${stream} did not add a message: ${error.message}`,
    { cause: error },
  );
}

const unavailableNames =
  /^(TimeoutError|RequestError|NoResponders|ClosedConnectionError|DrainingConnectionError|ConnectionError|JetStreamNotEnabled|JetStreamNotEnabledError)$/;

/** A DependencyUnavailableError for errors of the servers or the connection; any other error unchanged. */
export function unavailable(error: unknown, hosts: readonly string[]): unknown {
  if (!(error instanceof Error) || error instanceof DependencyUnavailableError) return error;
  if (isLimitReached(error)) return error;
  const { status } = error as { status?: unknown };
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const reason = driverReason(cause) ?? driverReason(error);
  if (!unavailableNames.test(error.name) && status !== 503 && reason === undefined) return error;
  const why = reason ?? [error.message, cause?.message].filter(Boolean).join(": ");
  return unavailableFor(`the servers ${hosts} are unavailable`, why, error);
}
