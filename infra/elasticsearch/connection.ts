import { Client, errors } from '@elastic/elasticsearch';
import { Fault } from '#domain/fault.ts';

export interface Address {
  /** URL of one node or of a load balancer before several. */
  readonly node: string;
  readonly username?: string;
  readonly password?: string;
  /** Instead of name and password. */
  readonly apiKey?: string;
  /** The only authority that may vouch for the server, PEM; without it those that Node.js trusts. */
  readonly ca?: string;
}

/** Somebody waits for the answer. */
const TIMEOUT_MS = 10_000;
/** Large, and nobody waits: saves, scans, refreshes. */
const PATIENT_TIMEOUT_MS = 30_000;
/** Repeated after a broken connection: reads, and writes that are fenced. */
const RETRIES = 2;
const RETRY_AFTER_S = 5;
/** Overloaded, or out of reach behind a proxy. */
const BUSY: readonly number[] = [429, 502, 503, 504];

export const unavailable = (why: string, cause?: unknown): Fault =>
  new Fault('unavailable', `The store does not answer right now: ${why}`, [], { retryAfter: RETRY_AFTER_S, cause });

const isDown = (error: unknown): error is Error =>
  error instanceof errors.ConnectionError ||
  error instanceof errors.TimeoutError ||
  error instanceof errors.NoLivingConnectionsError ||
  (error instanceof errors.ResponseError &&
    // A full disk makes indices read-only until there is room again.
    (BUSY.includes(error.statusCode ?? 0) || error.message.startsWith('cluster_block_exception')));

/** True for a refused write: the document exists, or is further on. */
export const isConflict = (error: unknown): boolean =>
  error instanceof errors.ResponseError && error.statusCode === 409;
export const isMissing = (error: unknown): boolean => error instanceof errors.ResponseError && error.statusCode === 404;

/** The one client of the process. */
export class Connection {
  readonly node: string;
  readonly #client: Client;
  readonly #patient: Client;

  constructor({ node, username, password, apiKey, ca }: Address) {
    this.node = new URL(node).origin;
    const basic = username !== undefined && password !== undefined ? { auth: { username, password } } : {};
    this.#client = new Client({
      node,
      ...(apiKey === undefined ? basic : { auth: { apiKey } }),
      ...(ca !== undefined && { tls: { ca } }),
      requestTimeout: TIMEOUT_MS,
      maxRetries: RETRIES,
      enableMetaHeader: false,
    });
    this.#patient = this.#client.child({ requestTimeout: PATIENT_TIMEOUT_MS });
  }

  /** Throws Fault `unavailable` when the store is down or overloaded; every other error as the client has it. */
  ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
    return this.#ask(this.#client, question);
  }

  /** The same, for what may take longer. */
  askPatiently<T>(question: (client: Client) => Promise<T>): Promise<T> {
    return this.#ask(this.#patient, question);
  }

  async #ask<T>(client: Client, question: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await question(client);
    } catch (error) {
      throw isDown(error) ? unavailable(error.message, error) : error;
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
