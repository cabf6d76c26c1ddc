/** Queries with a deadline each, repeated only when that cannot do anything twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Driver, RecordShape, Session } from 'neo4j-driver';
import neo4j from 'neo4j-driver';
import { Fault } from '#domain/fault.ts';
import { unavailable, withTimeLimit } from './time-limit.ts';

/** Errors of the server and the driver, in the words of the domain. */

/** Not detected by `instanceof`: errors of another realm are none of ours. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

const LOST: ReadonlySet<string> = new Set(['ServiceUnavailable', 'SessionExpired', 'N/A']);
const TIMED_OUT = /^Neo\.ClientError\.Transaction\.(TransactionTimedOut|LockClientStopped|TransactionTerminated)/;
const NOT_LET_IN = /^Neo\.ClientError\.Security\./;
const TOO_LONG = /too large to index/;
const TAKEN = 'Neo.ClientError.Schema.ConstraintValidationFailed';

/** The server has rolled back everything and asks to retry: a deadlock, a restart. */
export const isRolledBack = (error: unknown): boolean => codeOf(error).startsWith('Neo.TransientError.');

/** True if a retry may succeed. After a lost connection the outcome is unknown. */
export const isPassing = (error: unknown): boolean => isRolledBack(error) || LOST.has(codeOf(error));

/** Anything else stays as it is: an error of ours. */
export function faultOf(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Fault) return error;
  if (code === TAKEN) return new Fault('conflict', 'The key is already in use', [], { cause: error });
  if (NOT_LET_IN.test(code))
    return new Fault('unavailable', 'The topology store rejected the credentials of this service', [], {
      cause: error,
    });
  if (error instanceof Error && TOO_LONG.test(error.message))
    return new Fault('unprocessable', "A name or key exceeds the topology store's limit", [], { cause: error });
  return isPassing(error) || TIMED_OUT.test(code) ? unavailable(error) : error;
}

export type Values = Readonly<Record<string, unknown>>;
/** Runs one statement and returns its rows. */
export type Run = <Row extends RecordShape>(statement: string, values?: Values) => Promise<Row[]>;

export interface Neo4jClient {
  /** One statement that changes nothing. */
  readonly read: Run;
  /** The same, tried once. */
  readonly readOnce: Run;
  /** One statement of the schema. */
  readonly change: Run;
  /** Atomic; `work` may run again when the server rolled the first attempt back. */
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Returns true if the server answers a query within two seconds. */
  ready(): Promise<boolean>;
  /** Version of the server, for example `Neo4j/5.26.0`. */
  agent(): Promise<string>;
  close(): Promise<void>;
}

interface ClientOptions {
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** Timeout of one statement with all its attempts, in ms; a transaction of writes has three times as much. */
  readonly timeoutMs: number;
  /** The remaining time of the caller, ms; absent: no limit. */
  readonly left?: () => number;
}

/** Writers of other processes may meet this one at the tenant's node. */
const TRIES = 6;
const FIRST_PAUSE_MS = 50;
/** A request that the server does not answer in its own time ends here. */
const GRACE_MS = 1_000;
const WRITES_TAKE = 3;
/** Enough for a question that reads nothing. */
const READY_MS = 2_000;
const MAX = Number.MAX_SAFE_INTEGER;

/** Numbers are sent as floats unless they are wrapped; all numbers of ours are whole. */
const wrapped = (value: unknown): unknown => {
  if (typeof value === 'number') return neo4j.int(Math.max(-MAX, Math.min(MAX, Math.trunc(value))));
  if (Array.isArray(value)) return value.map(wrapped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wrapped(member)]));
};

interface Repeats {
  readonly mayRepeat: (error: unknown) => boolean;
  readonly tries: number;
  /** Limit for all attempts and pauses together. */
  readonly ms: number;
}

/** Retries temporary failures, a few times with growing delay. Every attempt gets the remaining time. */
async function repeated<T>({ mayRepeat, tries, ms }: Repeats, work: (ms: number) => Promise<T>): Promise<T> {
  const until = performance.now() + ms;
  for (let tried = 1; ; tried++)
    try {
      return await work(Math.max(1, Math.ceil(until - performance.now())));
    } catch (error) {
      const pause = FIRST_PAUSE_MS * 2 ** tried;
      if (tried === tries || !mayRepeat(error) || performance.now() + pause >= until) throw faultOf(error);
      await sleep(pause);
    }
}

const driverOf = ({ url, user, password, timeoutMs }: ClientOptions): Driver =>
  neo4j.driver(url, user === undefined ? undefined : neo4j.auth.basic(user, password ?? ''), {
    disableLosslessIntegers: true,
    telemetryDisabled: true,
    maxConnectionPoolSize: 20,
    connectionTimeout: Math.min(timeoutMs, 5_000),
    connectionAcquisitionTimeout: timeoutMs,
    connectionLivenessCheckTimeout: 30_000,
    maxTransactionRetryTime: 0,
  });

/** Does not connect yet. */
export function openClient(options: ClientOptions): Neo4jClient {
  const { timeoutMs, database, left = () => Number.POSITIVE_INFINITY } = options;
  const driver = driverOf(options);
  /** Throws when the caller has no time left. */
  const atMost = (ms: number): number => {
    const rest = Math.min(ms, left());
    if (rest <= 0) throw unavailable();
    return rest;
  };
  const inSession = async <T>(
    mode: 'READ' | 'WRITE',
    ms: number,
    work: (session: Session) => Promise<T>,
  ): Promise<T> => {
    const session = driver.session({ defaultAccessMode: mode, ...(database && { database }) });
    try {
      return await withTimeLimit(Math.min(ms + GRACE_MS, left()), work(session));
    } finally {
      // Not awaited: behind a server that hangs it would wait as well.
      session.close().catch(() => {});
    }
  };
  const single =
    (mode: 'READ' | 'WRITE', tries: number): Run =>
    async <Row extends RecordShape>(statement: string, values: Values = {}) =>
      repeated({ mayRepeat: isPassing, tries, ms: atMost(timeoutMs) }, (ms) =>
        inSession(mode, ms, async (session) => {
          const { records } = await session.run<Row>(statement, wrapped(values), { timeout: ms });
          return records.map((record) => record.toObject() as Row);
        }),
      );

  const transaction = <T>(ms: number, work: (run: Run) => Promise<T>): Promise<T> =>
    inSession('WRITE', ms, async (session) => {
      const tx = await session.beginTransaction({ timeout: ms });
      try {
        const done = await work(async <Row extends RecordShape>(statement: string, values: Values = {}) => {
          const { records } = await tx.run<Row>(statement, wrapped(values));
          return records.map((record) => record.toObject() as Row);
        });
        await tx.commit();
        return done;
      } finally {
        if (tx.isOpen()) await tx.rollback().catch(() => {});
      }
    });

  return {
    read: single('READ', TRIES),
    readOnce: single('READ', 1),
    change: single('WRITE', TRIES),
    write: async (work) =>
      repeated({ mayRepeat: isRolledBack, tries: TRIES, ms: atMost(WRITES_TAKE * timeoutMs) }, (ms) =>
        transaction(ms, work),
      ),
    ready: () =>
      withTimeLimit(
        READY_MS,
        inSession('READ', READY_MS, (session) => session.run('RETURN 1', {}, { timeout: READY_MS })),
      )
        .then(() => true)
        .catch(() => false),
    agent: () =>
      repeated(
        { mayRepeat: isPassing, tries: TRIES, ms: timeoutMs },
        async (ms) => (await withTimeLimit(ms, driver.getServerInfo())).agent ?? '',
      ),
    close: () => driver.close(),
  };
}
