import { Client, errors } from '@elastic/elasticsearch';
import { Fault } from '#domain/fault.ts';
import { within } from '#infra/wait.ts';
import { JoinedRequests } from './joined-requests.ts';
import { isOwnTrouble } from './refusals.ts';

interface Address {
  /** URL of one node or of a load balancer before several. */
  readonly node: string;
  readonly username?: string;
  readonly password?: string;
  /** API key instead of name and password. */
  readonly apiKey?: string;
  /** The only certificate authority for the server, PEM; absent: Node.js's own list. */
  readonly ca?: string;
}

export interface ClusterConnectionOptions extends Address {
  /** Timeout for a query of a request, ms. */
  readonly timeoutMs?: number;
  /** Timeout for large operations without a waiting request, ms. */
  readonly patientMs?: number;
  /** The remaining time of the caller, ms; absent: no limit. */
  readonly left?: () => number;
}

const TIMEOUT_MS = 10_000;
/** Saves, scans, refreshes. */
const PATIENT_TIMEOUT_MS = 30_000;
/** Repeated after a broken connection: reads, and writes that are fenced. */
const RETRIES = 2;
const RETRY_AFTER_S = 5;
/** Overloaded, or out of reach behind a proxy. */
const BUSY: readonly number[] = [429, 502, 503, 504];

export const unavailable = (why: string, cause?: unknown): Fault =>
  new Fault('unavailable', `The store is unavailable: ${why}`, [], { retryAfter: RETRY_AFTER_S, cause });

const isDown = (error: unknown): error is Error =>
  error instanceof errors.ConnectionError ||
  error instanceof errors.TimeoutError ||
  error instanceof errors.NoLivingConnectionsError ||
  isOwnTrouble(error) ||
  (error instanceof errors.ResponseError && BUSY.includes(error.statusCode ?? 0));

const asFault = (error: unknown): unknown => (isDown(error) ? unavailable(error.message, error) : error);

/** The error of one operation that a bulk request did not make, as if it had been sent alone. */
export const refusedItem = (statusCode: number, error: unknown): unknown =>
  asFault(
    new errors.ResponseError({ statusCode, body: { error } } as ConstructorParameters<typeof errors.ResponseError>[0]),
  );

/** Returns the result, or a fault on a timeout; the query itself ends with its own timeout. */
async function inTime<T>(ms: number, answer: () => Promise<T>): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return answer();
  if (ms <= 0) throw unavailable('request timed out');
  return within(ms, answer(), () => unavailable('timed out'));
}

/** True for a refused write: the document exists, or is further on. */
export const isConflict = (error: unknown): boolean =>
  error instanceof errors.ResponseError && error.statusCode === 409;
export const isMissing = (error: unknown): boolean => error instanceof errors.ResponseError && error.statusCode === 404;

const clientOf = ({ node, username, password, apiKey, ca }: Address, requestTimeout: number): Client => {
  const basic = username !== undefined && password !== undefined ? { auth: { username, password } } : {};
  return new Client({
    node,
    ...(apiKey === undefined ? basic : { auth: { apiKey } }),
    ...(ca !== undefined && { tls: { ca } }),
    requestTimeout,
    maxRetries: RETRIES,
    enableMetaHeader: false,
  });
};

/** All that the process asks Elasticsearch. */
export class Connection {
  readonly node: string;
  readonly #client: Client;
  /** A client of its own: the sockets of a pool have one time-out for all that is sent through them. */
  readonly #patient: Client;
  readonly #left: () => number;
  readonly joined = new JoinedRequests();

  constructor(options: ClusterConnectionOptions) {
    const { timeoutMs = TIMEOUT_MS, patientMs = PATIENT_TIMEOUT_MS, left = () => Number.POSITIVE_INFINITY } = options;
    this.node = new URL(options.node).origin;
    this.#client = clientOf(options, timeoutMs);
    this.#patient = clientOf(options, patientMs);
    this.#left = left;
  }

  /** False for background work, which has no deadline. */
  get isUrgent(): boolean {
    return this.#left() !== Number.POSITIVE_INFINITY;
  }

  /**
   * Throws Fault `unavailable` when the store is down, overloaded or rejects our login; every other error unchanged
   * from the client.
   */
  ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
    return this.#ask(this.#client, question);
  }

  /** The same, for slower operations. */
  askPatiently<T>(question: (client: Client) => Promise<T>): Promise<T> {
    return this.#ask(this.#patient, question);
  }

  async #ask<T>(client: Client, question: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await inTime(this.#left(), () => question(client));
    } catch (error) {
      throw asFault(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#patient.close()]);
  }
}
