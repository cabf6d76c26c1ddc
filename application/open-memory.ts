import { actorOf } from '#application/access/actor.ts';
import { everyRecord } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { TEAM_KINDS, type TeamRecord, teamNameKey } from '#domain/access/team.ts';
import { usernameKey } from '#domain/access/tenant.ts';
import type { Team } from '#domain/event/event.ts';
import { makeSigner } from '#domain/event/identity/signature.ts';
import type { AssigneeDirectory } from '#domain/event/lifecycle/assignee.ts';
import { SourceCounts } from '#domain/event/source-counts.ts';
import { Fault } from '#domain/fault.ts';
import { type KnownByTenant, knownByTenant } from '#domain/lru.ts';
import { PipelineHistory } from '#domain/pipeline/history.ts';
import type { KnownSilences, Memory, MemorySlot, Turns } from '#domain/ports/memory.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type ServicesOfCi, servicesByCi } from '#domain/services/dependencies.ts';
import { SERVICE_KINDS, type Service } from '#domain/services/service.ts';
import type { CallerCache } from './access/authenticate.ts';
import { openSilences } from './events/silences/known-silences.ts';

/** Time for which ingest may use outdated users and teams after a change in another process; ms. */
const DIRECTORY_TTL_MS = 30_000;

/** Finds by id, and by name where no id is equal. */
const finder = <T extends { readonly id: string }>(
  all: readonly T[],
  nameOf: (one: T) => string,
  key = usernameKey,
) => {
  const byId = new Map(all.map((one) => [one.id, one]));
  const byName = new Map(all.map((one) => [key(nameOf(one)), one]));
  return (text: string): T | undefined => byId.get(text) ?? byName.get(key(text));
};

const load = async (records: RecordStore, tenant: string): Promise<AssigneeDirectory> => {
  const [users, teams] = await Promise.all([
    everyRecord<UserRecord>(records, tenant, ACCESS_KINDS.user),
    everyRecord<TeamRecord>(records, tenant, TEAM_KINDS.team),
  ]);
  const actors = users.map(actorOf);
  return {
    user: finder(actors, ({ username }) => username),
    team: finder(
      teams.map(({ id, name }): Team => ({ id, name })),
      ({ name }) => name,
      teamNameKey,
    ),
  };
};

/** The users and teams of a tenant, at most 10,000 of each. */
const openDirectories = (records: RecordStore): KnownByTenant<AssigneeDirectory> =>
  knownByTenant(DIRECTORY_TTL_MS, (tenant) => load(records, tenant));

/** Maximum of waiting requests of one kind. */
const MAX_WAITING = 500;

interface TurnQueue {
  last: Promise<unknown>;
  length: number;
}

class RecordTurns implements Turns {
  readonly #lines = new Map<string, TurnQueue>();

  /** Throws Fault `unavailable` when too many wait for the same thing. */
  async take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(thing) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= MAX_WAITING)
      throw new Fault('unavailable', `${MAX_WAITING} changes of the same record are queued`, [], { retryAfter: 1 });
    line.length++;
    this.#lines.set(thing, line);
    const done = line.last.then(work);
    line.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      line.length--;
      if (line.length === 0) this.#lines.delete(thing);
    }
  }
}

/** Time for which events may name outdated services after a change in another process; ms. */
const MEMBERSHIP_TTL_MS = 30_000;

/** Returns the services of a CI. When the store is down, events are accepted without their services. */
const openMembership = (records: RecordStore): KnownByTenant<ServicesOfCi> =>
  knownByTenant(MEMBERSHIP_TTL_MS, (tenant) =>
    everyRecord<Service>(records, tenant, SERVICE_KINDS.service)
      .then(servicesByCi)
      .catch((): ServicesOfCi => new Map()),
  );

const openSlots = (records: RecordStore): Memory['of'] => {
  const opened = new Map<MemorySlot<unknown>, unknown>();
  return <T>(slot: MemorySlot<T>): T => {
    if (!opened.has(slot)) opened.set(slot, slot.open(records));
    return opened.get(slot) as T;
  };
};

/** The memory of a process; the authenticator has the same `callers`. */
export const openMemory = (
  records: RecordStore,
  callers: CallerCache,
  silences: KnownSilences = openSilences(),
): Memory => ({
  callers,
  directories: openDirectories(records),
  services: openMembership(records),
  servicesHit: new WeakMap(),
  silences,
  turns: new RecordTurns(),
  failedLogins: new Map(),
  analyses: new Set(),
  streams: new Map(),
  liveStreams: new Map(),
  lastSeconds: new Map(),
  sources: new SourceCounts(),
  pipeline: new PipelineHistory(),
  sign: makeSigner(),
  of: openSlots(records),
});
