/** Queries with a deadline each, repeated only when that cannot do anything twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import neo4j, { type Driver, type RecordShape, type Session } from 'neo4j-driver';
import { faultOf, isPassing, isRolledBack } from './faults.ts';
import { within } from './within.ts';

export type Values = Readonly<Record<string, unknown>>;
/** Runs one statement and returns its rows. */
export type Run = <Row extends RecordShape>(statement: string, values?: Values) => Promise<Row[]>;

export interface Client {
  /** One statement that changes nothing. */
  readonly read: Run;
  /** One statement of the schema. */
  readonly change: Run;
  /** All or nothing; `work` may run again when the server took the first try back. */
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Version of the server, for example `Neo4j/5.26.0`. */
  agent(): Promise<string>;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** For one statement, or one transaction of writes, in ms. */
  readonly timeoutMs: number;
}

/** Writers of other processes may meet this one at the tenant's node. */
const TRIES = 6;
const FIRST_PAUSE_MS = 50;
/** What the server does not answer in its own time is given up here. */
const GRACE_MS = 1_000;
const WRITES_TAKE = 3;
const MAX = Number.MAX_SAFE_INTEGER;

/** Numbers are sent as floats unless they are wrapped; all numbers of ours are whole. */
const wrapped = (value: unknown): unknown => {
  if (typeof value === 'number') return neo4j.int(Math.max(-MAX, Math.min(MAX, Math.trunc(value))));
  if (Array.isArray(value)) return value.map(wrapped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wrapped(member)]));
};

/** Repeats what has failed for a passing reason, a few times and a little later each time. */
async function repeated<T>(mayRepeat: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !mayRepeat(error)) throw faultOf(error);
      await sleep(FIRST_PAUSE_MS * 2 ** tries);
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
export function openClient(options: ClientOptions): Client {
  const { timeoutMs, database } = options;
  const driver = driverOf(options);
  const inSession = async <T>(
    mode: 'READ' | 'WRITE',
    ms: number,
    work: (session: Session) => Promise<T>,
  ): Promise<T> => {
    const session = driver.session({ defaultAccessMode: mode, ...(database && { database }) });
    try {
      return await within(ms + GRACE_MS, work(session));
    } finally {
      // Not awaited: behind a server that hangs it would wait as well.
      session.close().catch(() => {});
    }
  };
  const single =
    (mode: 'READ' | 'WRITE'): Run =>
    <Row extends RecordShape>(statement: string, values: Values = {}) =>
      repeated(isPassing, () =>
        inSession(mode, timeoutMs, async (session) => {
          const { records } = await session.run<Row>(statement, wrapped(values), { timeout: timeoutMs });
          return records.map((record) => record.toObject() as Row);
        }),
      );

  const transaction = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    inSession('WRITE', WRITES_TAKE * timeoutMs, async (session) => {
      const tx = await session.beginTransaction({ timeout: WRITES_TAKE * timeoutMs });
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
    read: single('READ'),
    change: single('WRITE'),
    write: (work) => repeated(isRolledBack, () => transaction(work)),
    agent: () => repeated(isPassing, async () => (await within(timeoutMs, driver.getServerInfo())).agent ?? ''),
    close: () => driver.close(),
  };
}
