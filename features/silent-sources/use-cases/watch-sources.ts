import type { EventAction } from '#application/events/event-action.ts';
import { OWN_SOURCE, ownEnded, ownRaised, receiveOwn } from '#application/events/own-event.ts';
import { readSourceCounts } from '#application/events/sources/stored-counts.ts';
import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { isOn } from '#domain/correlation/grouping/group-state.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { MAX_SOURCES } from '#domain/event/source-counts.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { sameJson } from '#domain/same-json.ts';
import { heardAt, isSilent, type SourceRhythm } from '#features/silent-sources/rules/rhythm.ts';
import type { SilentSource } from '#features/silent-sources/schemas/silent-source.ts';
import { sourceNamed } from '#sources/sources.ts';

const RHYTHMS = { kind: 'source-rhythm', id: 'all' } as const;

/** Rhythms by name of the source. */
type Rhythms = Readonly<Record<string, SourceRhythm>>;

const titleOf = (name: string): string => sourceNamed(name)?.title ?? name;

const actionOf = (name: string, silentSince: number | null): EventAction => {
  const sourceId = `source/${name}`;
  if (silentSince === null) return ownEnded(sourceId);
  return ownRaised(sourceId, {
    severity: 'major',
    title: `No data from source ${titleOf(name)}`,
    description: `The source sent regularly and has not sent anything since ${new Date(silentSince).toISOString()}.`,
  });
};

const readRhythms = async ({ records }: Pick<Ports, 'records'>, tenant: string): Promise<Rhythms> =>
  (await records.get<Rhythms>(tenant, RHYTHMS.kind, RHYTHMS.id))?.body ?? {};

interface Watch {
  /** ms. */
  readonly now: number;
  /** No message could be received before. */
  readonly listeningSince: number;
}

/** Raises or ends the event first and remembers it then: after a crash in between it is counted twice, never lost. */
const watchOne = async (
  ports: Ports,
  tenant: string,
  name: string,
  rhythm: SourceRhythm,
  watch: Watch,
): Promise<SourceRhythm> => {
  const silent = isSilent(rhythm, watch);
  if (silent === (rhythm.event !== null)) return rhythm;
  const told = await receiveOwn(ports, tenant, actionOf(name, silent ? rhythm.last : null), ports.clock.now());
  return { ...rhythm, event: silent ? (told?.id ?? null) : null };
};

const watchTenant = async (ports: Ports, tenant: string, watch: Watch): Promise<void> => {
  const before = await readRhythms(ports, tenant);
  const heard = await readSourceCounts(ports, tenant);
  const next = new Map(Object.entries(before));
  for (const [name, { last }] of heard)
    if (name !== OWN_SOURCE && last > 0) next.set(name, heardAt(next.get(name), last));
  const latest = [...next].sort(([, a], [, b]) => b.last - a.last).slice(0, MAX_SOURCES);
  const after: Record<string, SourceRhythm> = {};
  for (const [name, rhythm] of latest) after[name] = await watchOne(ports, tenant, name, rhythm, watch);
  if (!sameJson(before, after)) await ports.records.put(tenant, RHYTHMS.kind, RHYTHMS.id, after);
};

/**
 * Raises one event per source that sent regularly and has stopped for 15 minutes, and resolves it with its next
 * message. Throws when a tenant could not be checked, after all others were.
 */
export const watchSources = (
  ports: Ports,
  { isStopping = () => false, ...watch }: Watch & { readonly isStopping?: () => boolean },
): Promise<void> => {
  const failed = (count: number): string => `Couldn't check sources of ${count} tenants`;
  return eachActiveTenant(ports.records, { isStopping, failed }, (tenant) => watchTenant(ports, tenant, watch));
};

/** Returns sources with an open event about their silence, the longest silent first. A resolved one means that it is wanted. */
export const silentSources = async (
  ports: Pick<Ports, 'records' | 'events'>,
  tenant: string,
): Promise<readonly SilentSource[]> => {
  const known = Object.entries(await readRhythms(ports, tenant)).flatMap(([name, { last, event }]) =>
    event === null ? [] : [{ name, last, event }],
  );
  if (known.length === 0) return [];
  const events = await ports.events.getMany(
    tenant,
    known.map(({ event }) => event),
  );
  const on = new Map(events.filter(({ status }) => isOn(status)).map(({ id, createdAt }) => [id, createdAt]));
  return known
    .flatMap(({ name, last, event }) => {
      const since = on.get(event);
      return since === undefined ? [] : [{ name, title: titleOf(name), last, since, eventId: eventIdOf(event) }];
    })
    .sort((a, b) => a.last - b.last);
};
