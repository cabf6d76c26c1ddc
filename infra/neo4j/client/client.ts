/** Queries with a deadline each, repeated only when that cannot do anything twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import neo4j, { type Driver, type RecordShape, type Session } from 'neo4j-driver';
import { faultOf, isPassing, isRolledBack } from './faults.ts';
import { unavailable, withTimeLimit } from './time-limit.ts';

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
  /** All or nothing; `work` may run again when the server took the first try back. */
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Whether the server answers a question within two seconds. */
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
  /** For one statement with all its tries, in ms; a transaction of writes gets three times as long. */
  readonly timeoutMs: number;
  /** The remaining time of the caller, ms; absent: no limit. */
  readonly left?: () => number;
}

/** Writers of other processes may meet this one at the tenant's node. */
const TRIES = 6;
const FIRST_PAUSE_MS = 50;
/** A request that the server does not answer in its own time is given up here. */
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
  /** For all tries and pauses together. */
  readonly ms: number;
}

/** Repeats what has failed for a passing reason, a few times and a little later each time. Every try gets what is left of the time. */
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
  /** Throws when whoever asks has no time left. */
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
