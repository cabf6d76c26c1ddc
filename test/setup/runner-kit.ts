import { setImmediate } from 'node:timers/promises';
import type { EventDraft } from '#domain/event/draft.ts';
import type { CiRef, Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { prepare } from '#domain/event/lifecycle/prepare.ts';
import type { Pipeline } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { DEAD_LETTER_KIND, type DeadLetter } from '#domain/ports/operations.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { openLiveChanges } from '#infra/embedded/live/live-changes.ts';
import { openTables, type Tables } from '#infra/embedded/open-tables.ts';
import { MEMORY, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { openWriter } from '#infra/embedded/redo-log/writer.ts';
import type { PipelineBatch } from '#infra/embedded/runner/batch-runner.ts';
import { openBatchStore } from '#infra/embedded/runner/batch-store.ts';
import { Runner } from '#infra/embedded/runner/runner.ts';
import { SinkRunner } from '#infra/embedded/sinks/sink-runner.ts';
import { openTopology } from '#infra/embedded/topology-store.ts';
import type { Snapshot } from '#infra/embedded/warmup/snapshot.ts';
import { openSnapshot } from '#infra/embedded/warmup/snapshot.ts';
import { pipeline } from '#processors/pipeline.ts';
import { type Faults, faultyWriter } from './faulty-writer.ts';
import { randomIds } from './random-ids.ts';
import { type SetClock, seededIds, setClock } from './set-clock.ts';

export const NOON = Date.parse('2026-11-20T12:00:00.000Z');

/** Simulated faults, in the writer and elsewhere. */
interface KitFaults extends Faults {
  /** Called before the real thing; may throw. */
  probe?: () => void;
  /** Sees each batch when it is handed over. */
  batch?: (batch: PipelineBatch) => void;
  /** Delay of reading memory back, in turns of the event loop. */
  slowRestore?: number;
}

export interface RunnerKit {
  readonly runner: Runner;
  readonly sinks: SinkRunner;
  readonly tables: Tables;
  readonly clock: SetClock;
  readonly faults: KitFaults;
  readonly database: ReturnType<typeof openDatabase>;
  /** Lets the writer have what `faults.hold` held back. */
  release(): void;
  readonly topology: ReturnType<typeof openTopology>['ports'];
  event(id: string): Event | undefined;
  /** Dead letters of the tenant, newest first. */
  rejected(tenant?: string): DeadLetter[];
  snapshot(): unknown;
  /** Stops the runner and closes the database. */
  close(): Promise<void>;
  /** Closes the database as a kill would. */
  kill(): Promise<void>;
}

const slowly = (rows: Snapshot, turns: number): Snapshot => ({
  until: rows.until,
  openEvents: () => rows.openEvents(),
  seen: (reachMs) => rows.seen(reachMs),
  recoveries: (since) => rows.recoveries(since),
  arrivals: (reachMs) => rows.arrivals(reachMs),
  habits: () => rows.habits(),
  openGroups: () => rows.openGroups(),
  lasting: (decided) => rows.lasting(decided),
  decisions: (since) => rows.decisions(since),
  async *watermarks() {
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    yield* rows.watermarks();
  },
  close: () => rows.close(),
});

const silent: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };
const quiet = { error: () => {}, info: () => {}, warn: () => {} };

/** Error of node:sqlite when the disk is full. */
export const diskFull = (): Error => Object.assign(new Error('database or disk is full'), { errcode: 13 });

export interface KitOptions {
  /** A directory; memory when absent. */
  readonly path?: string;
  readonly clock?: SetClock;
  readonly stages?: Pipeline;
  readonly metrics?: Metrics;
  readonly sinks?: readonly Sink[];
  /** Delay of sinks until their new positions are stored, ms; 1 when absent. */
  readonly saveMs?: number;
  readonly timeoutMs?: number;
}

/** The real runner on a real database, with places at which it can be made to fail. */
export const openRunner = async ({
  path = MEMORY,
  clock = setClock(NOON),
  stages = pipeline,
  metrics = silent,
  sinks = [],
  saveMs = 1,
  timeoutMs = 5_000,
}: KitOptions = {}) => {
  const faults: KitFaults = {};
  let writer: ReturnType<typeof faultyWriter>;
  const database = openDatabase(path, {
    makeWriter: (file, here, events) => (writer = faultyWriter((told) => openWriter(file, here, told), events, faults)),
  });
  const tables = openTables(database, sinks);
  const topology = openTopology(database, tables);
  // Its clock may stand while records have later times.
  const refill = () => openSnapshot(database, tables.names, Number.POSITIVE_INFINITY);
  const ids = seededIds(clock, NOON);
  const real = openBatchStore(database, tables, topology.aroundNow, clock, ids, refill, openLiveChanges(ids));
  const store: typeof real = {
    ...real,
    commit(batch, through) {
      faults.batch?.(batch);
      return real.commit(batch, through);
    },
    async probe() {
      faults.probe?.();
      await real.probe();
    },
    refill: () => slowly(real.refill(), faults.slowRestore ?? 0),
  };
  const runner = new Runner({
    store,
    pipeline: stages,
    clock,
    metrics,
    log: quiet,
    probeMs: 1,
    secondFrom: 1,
    maxRunning: 2,
  });
  await runner.start();
  const sinkRunner = new SinkRunner({
    sinks,
    database,
    records: tables.records,
    outbox: tables.outbox,
    clock,
    ids: randomIds,
    metrics,
    log: quiet,
    saveMs,
    timeoutMs,
    calmMs: 1,
    betweenAttemptsMs: 0,
    rest: () => 1,
  });
  // Sinks of tests use nothing else.
  sinkRunner.start({} as Ports);
  const { events } = tables;
  const kit: RunnerKit = {
    runner,
    sinks: sinkRunner,
    tables,
    clock,
    faults,
    database,
    topology: topology.ports,
    release() {
      faults.hold = false;
      writer.release();
    },
    event(id) {
      if (faults.hold !== true) database.waitApplied();
      return events.getMany([{ tenant: 't', id }])[0];
    },
    rejected: (tenant = 't') =>
      tables.records
        .list<DeadLetter>(tenant, DEAD_LETTER_KIND, { now: clock.now(), limit: 100, descending: true })
        .map(({ body }) => body),
    snapshot() {
      database.waitApplied();
      return snapshotOf(database, tables);
    },
    async close() {
      await sinkRunner.stop();
      await runner.stop();
      await kit.kill();
    },
    async kill() {
      await sinkRunner.halt();
      await database.endWriter();
      database.close();
    },
  };
  return kit;
};

/** Positions depend on repeated records, and causes named between two batches depend on the end of the batches. */
const withoutBatches = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part) => (/position$/i.test(key) || key === 'named' ? undefined : part)));

/** Returns the whole visible state: complete events, and groups with their members and candidates. */
const snapshotOf = (database: ReturnType<typeof openDatabase>, { events, correlation }: Tables): unknown => {
  const keys = database.statement('SELECT tenant, id FROM event ORDER BY tenant, id').all() as unknown as {
    tenant: string;
    id: string;
  }[];
  const groups = database.statement('SELECT tenant, id FROM grp ORDER BY tenant, id').all() as unknown as typeof keys;
  return withoutBatches({
    events: events.getMany(keys).sort((a, b) => (a.id < b.id ? -1 : 1)),
    groups: groups.map(({ tenant, id }) => [id, correlation.group(tenant, id)]),
    decisions: keys.map(({ tenant, id }) => [id, correlation.enriched(tenant, id)]),
  });
};

const SETTINGS = { dedupScope: 'system', dedupWindowMs: 24 * 3_600_000 } as const;

export interface Said extends Partial<EventDraft> {
  readonly id: string;
  readonly condition?: string;
  readonly ci?: CiRef;
  readonly receivedAt?: number;
  readonly delivery?: string;
}

/** An occurrence as the API would append it. */
export const occurs = ({ id, condition, ci, receivedAt = NOON, delivery, ...draft }: Said): Incoming => {
  const whole = { source: 's', sourceId: id, severity: 'major', title: 'Disk full', hostname: 'h', ...draft } as const;
  const binding = { ci: ci ?? null, ambiguous: false };
  const occurrence = prepare(whole, {
    binding,
    settings: SETTINGS,
    newId: ulidOf(id),
    conditionId: condition ?? null,
    receivedAt,
  });
  return { ask: { kind: 'occurred', occurrence }, receivedAt, ...(delivery !== undefined && { deliveryId: delivery }) };
};

/** A ULID that ends with the given letters and digits. */
export const ulidOf = (name: string): string => name.toUpperCase().padStart(26, '0');

const STAMP = { createdAt: 0, updatedAt: 0, revision: 1 };

export const ciOf = (tenant: string, id: string): Ci => ({
  tenant,
  id,
  name: id,
  type: 'server',
  status: 'active',
  attributes: {},
  customFields: {},
  ...STAMP,
  createdBy: 'test',
  updatedBy: 'test',
});

export const dependsOn = (tenant: string, source: string, target: string): Relationship => ({
  tenant,
  id: ulidOf(`${source}${target}`),
  type: 'depends_on',
  source,
  target,
  attributes: {},
  ...STAMP,
  discoveredBy: 'manual',
  confidence: 1,
});
