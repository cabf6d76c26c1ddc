import { type Facts, wasClosedAt } from '#domain/correlation/grouping/groups.ts';
import { type SettingsOverrides, settingsWith } from '#domain/correlation/settings/tenant-settings.ts';
import type { CorrelationSettings } from '#domain/correlation/settings.ts';
import { NO_TRANSITIONS, transitionsOf } from '#domain/correlation/status-transitions.ts';
import type { BatchView, Sources } from '#domain/pipeline/batch.ts';
import type { StoredGroup } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { CorrelationTable } from '#infra/embedded/correlation/table.ts';
import type { EventTable } from '#infra/embedded/events/table.ts';
import type { EmbeddedLiveChanges } from '#infra/embedded/live/live-changes.ts';
import { openCursorTable } from '#infra/embedded/records/cursor-table.ts';
import { openDeadLetterTable } from '#infra/embedded/records/dead-letters.ts';
import { openDeliveryTable } from '#infra/embedded/records/delivery-table.ts';
import { openRecoveryTable } from '#infra/embedded/records/recovery-table.ts';
import type { RecordTable } from '#infra/embedded/records/table.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import type { Outbox } from '#infra/embedded/sinks/outbox.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import type { Snapshot } from '#infra/embedded/warmup/snapshot.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { BatchStore, PipelineBatch } from './batch-runner.ts';

/** Maximum of members read to reopen a closed group; manual groups may be larger than the size guard allows. */
const MEMBERS = 10_000;

/** Settings by tenant, read again when their revision has grown. */
const settingsReader = (database: Database, records: RecordTable, clock: Clock) => {
  const known = new Map<string, { readonly revision: number; readonly settings: CorrelationSettings }>();
  // Revisions of a tenant that was deleted and created again count from 1.
  database.onRollback(() => known.clear());
  const defaults = settingsWith(null);
  return (tenant: string): CorrelationSettings => {
    const stored = records.get<SettingsOverrides>(tenant, 'settings', 'correlation', clock.now());
    if (!stored) return defaults;
    const last = known.get(tenant);
    if (last?.revision === stored.revision) return last.settings;
    const settings = settingsWith(stored.body);
    known.set(tenant, { revision: stored.revision, settings });
    return settings;
  };
};

interface BatchTables {
  readonly records: RecordTable;
  readonly events: EventTable;
  readonly correlation: CorrelationTable;
  readonly outbox: Outbox;
}

/** Queries of a batch about groups: of events as it leaves them, and of groups as all batches before it left them. */
const groupReads = (
  database: Database,
  { events, correlation }: Pick<BatchTables, 'events' | 'correlation'>,
): Pick<Sources, 'turns' | 'joined' | 'home' | 'groupOf'> => {
  const membersOf = database.statement<{ readonly id: string }>(
    'SELECT id FROM event WHERE tenant = ? AND correlation_id = ? ORDER BY timestamp, id LIMIT ?',
  );
  const memberOf = (tenant: string, id: string): Facts[] => {
    const record = correlation.enriched(tenant, id);
    const [event] = events.latest([{ tenant, id }]);
    return record && event ? [{ ...record, turns: transitionsOf(event) }] : [];
  };
  /** Returns the current group of the correlationId, with its members after the batch. */
  const groupOf = (
    tenant: string,
    correlationId: string,
    through: number,
    batch: BatchView,
  ): StoredGroup | undefined => {
    database.waitApplied();
    const group = correlation.group(tenant, correlationId);
    if (!group) return undefined;
    const asOf = (facts: Facts): Facts => {
      const record = batch.enriched(tenant, facts.arrival.eventId, through);
      return record === undefined ? facts : { ...record, turns: facts.turns ?? NO_TRANSITIONS };
    };
    const members = [group.id, ...group.aliases]
      .flatMap((id) => membersOf.all(tenant, id, MEMBERS))
      .flatMap(({ id }) => memberOf(tenant, id))
      .map(asOf);
    return { group, members };
  };
  const wasClosed = (tenant: string, id: string, returned: number): boolean => {
    database.waitApplied();
    const group = correlation.group(tenant, id);
    return group !== undefined && wasClosedAt(group, returned);
  };

  return {
    turns(tenant, id, batch) {
      const event = batch.event(tenant, id);
      return event === undefined ? NO_TRANSITIONS : transitionsOf(event);
    },
    joined(tenant, eventId, returned, batch) {
      const id = batch.event(tenant, eventId)?.correlationId ?? null;
      return id === null || returned === undefined || !wasClosed(tenant, id, returned) ? id : null;
    },
    home(tenant, eventId, batch) {
      const id = batch.event(tenant, eventId)?.correlationId ?? null;
      if (id === null) return null;
      database.waitApplied();
      const group = correlation.group(tenant, id);
      return group?.status === 'closed' ? group.id : null;
    },
    groupOf(tenant, id, through, batch) {
      const event = batch.event(tenant, id) ?? events.latest([{ tenant, id }])[0];
      return event?.correlationId ? groupOf(tenant, event.correlationId, through, batch) : undefined;
    },
  };
};

/** Reads and writes of the runner. Reads show the rows as they will be when all submitted batches are committed. */
export const openBatchStore = (
  database: Database,
  { records, events, correlation, outbox }: BatchTables,
  around: BatchStore['around'],
  clock: Clock,
  ids: Ids,
  refill: () => Snapshot,
  live: Pick<EmbeddedLiveChanges, 'gather' | 'tellDeadLetter'>,
): BatchStore => {
  const deliveries = openDeliveryTable(database);
  const recoveries = openRecoveryTable(database);
  const rejected = openDeadLetterTable(records);
  const cursor = openCursorTable(database);
  const probe = openCursorTable(database, 'probe');

  const writeAll = (batch: PipelineBatch, through: number): void => {
    for (const { event, parts } of batch.changed.values()) events.write(event, parts);
    for (const recovery of batch.recoveries) recoveries.write(recovery);
    for (const delivery of batch.deliveries.values()) deliveries.write(delivery);
    for (const enriched of batch.enrichedRecords) correlation.writeEnriched(enriched);
    for (const decision of batch.decisions) correlation.writeDecision(decision);
    for (const group of batch.groups.values()) correlation.writeGroup(group);
    if (batch.records.length > 0) records.add(batch.records);
    for (const one of batch.rejected) rejected.add(one, ids.ulid(), clock.now());
    outbox.write((topic) => batch.entries(topic), clock.now());
    cursor.write(through);
  };
  return {
    events: (keys) => events.latest(keys),
    delivery: deliveries.get,
    around,
    settings: settingsReader(database, records, clock),
    enriched: (tenant, id, through) => correlation.latestEnriched(tenant, id, through),
    ...groupReads(database, { events, correlation }),
    commit: (batch, through) => live.gather(batch, () => database.submit(() => writeAll(batch, through))),
    resume: () => database.resume(),
    onFailure: database.onFailure,
    async probe() {
      await database.resume();
      await database.submit(() => probe.write(clock.now()));
    },
    reject: (entry, reason) => {
      rejected.add({ entry, topic: eventsIncoming, processor: 'store', reason }, ids.ulid(), clock.now());
      live.tellDeadLetter(entry.tenant);
    },
    cursor: cursor.read,
    isStorageFailure,
    refill,
  };
};
