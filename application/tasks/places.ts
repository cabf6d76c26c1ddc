/** Tasks in the order in which they are done, as records of the system. */
import { inTurn, type TurnPorts } from '#application/records/in-turn.ts';
import { recordChunks } from '#application/records/list-records.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Place, StoredTasks, Task } from './task.ts';

/** A place whose record was never written belongs to a request that died; ms. */
const LOST_AFTER_MS = 60_000;

type Stores = Pick<Ports, 'records' | 'clock'>;
type Queue = Pick<StoredTasks<unknown>, 'about' | 'places'>;

export const queueOf = ({ about }: Pick<Queue, 'about'>): string => `${about}-queue`;
export const leaseOf = ({ about }: Pick<Queue, 'about'>): string => `${about}-lease`;

const placeId = ({ places }: Pick<Queue, 'places'>, { tenant, id }: Pick<Task, 'tenant' | 'id'>): string =>
  places === 'tenant' ? tenant : `${tenant}/${id}`;

/** Must be stored with the record that the task is about. */
export const placeRecord = (queue: Queue, task: Task): SideRecord => ({
  tenant: SYSTEM_TENANT,
  kind: queueOf(queue),
  id: placeId(queue, task),
  body: task,
});

/** Cancels a task; a process that is at work on it lets go within seconds. */
export const cancelTask = (
  { records }: Pick<Ports, 'records'>,
  queue: Queue,
  task: Pick<Task, 'tenant' | 'id'>,
): Promise<boolean> => records.remove(SYSTEM_TENANT, queueOf(queue), placeId(queue, task));

/** `gone`: it has ended, or its request died before it was written. */
export async function stateOf<T>(
  { records, clock }: Stores,
  { find, isOpen }: StoredTasks<T>,
  { tenant, id, at }: Task,
): Promise<'open' | 'unwritten' | 'gone'> {
  const thing = await find(records, tenant, id);
  if (thing !== null) return isOpen(thing.body) ? 'open' : 'gone';
  return clock.now() - at < LOST_AFTER_MS ? 'unwritten' : 'gone';
}

/**
 * Acquires the tenant's only place; its record must be written next. Resolves with the task that has the place,
 * possibly another one.
 */
export const acquirePlace = <T>(ports: Stores & TurnPorts, kind: StoredTasks<T>, task: Task): Promise<Task> => {
  const id = placeId(kind, task);
  return inTurn(ports, { of: [queueOf(kind), SYSTEM_TENANT, id], ifMatch: null }, async () => {
    const known = await ports.records.get<Task>(SYSTEM_TENANT, queueOf(kind), id);
    if (known !== null && (await stateOf(ports, kind, known.body)) !== 'gone') return known.body;
    await ports.records.put(SYSTEM_TENANT, queueOf(kind), id, task, { expected: known?.revision ?? 0 });
    return task;
  });
};

/** Changes a place; not one that was canceled or taken over meanwhile. */
async function putPlace(
  { records }: Stores,
  queue: Queue,
  { id, revision, body }: Place,
  options: { readonly expiresAt?: number } = {},
): Promise<Place> {
  try {
    const put = await records.put(SYSTEM_TENANT, queueOf(queue), id, body, { ...options, expected: revision });
    return { id, body, revision: put };
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return { id, body, revision };
  }
}

export const leavePlace = (stores: Stores, queue: Queue, place: Place): Promise<Place> =>
  putPlace(stores, queue, place, { expiresAt: stores.clock.now() });

export const countTries = (stores: Stores, queue: Queue, place: Place, more: number): Promise<Place> =>
  putPlace(stores, queue, { ...place, body: { ...place.body, tries: (place.body.tries ?? 0) + more } });

/** Orders by tenant in rotation; those of one tenant by arrival. */
export function inTurns(places: readonly Place[]): Place[] {
  const seen = new Map<string, number>();
  const ranked = places
    .toSorted((a, b) => a.body.at - b.body.at || (a.id < b.id ? -1 : 1))
    .map((place) => {
      const rank = seen.get(place.body.tenant) ?? 0;
      seen.set(place.body.tenant, rank + 1);
      return { place, rank };
    });
  return ranked.sort((a, b) => a.rank - b.rank || a.place.body.at - b.place.body.at).map(({ place }) => place);
}

export async function waitingPlaces(records: RecordStore, queue: Queue): Promise<Place[]> {
  const waiting: Place[] = [];
  for await (const chunk of recordChunks<Task>(records, SYSTEM_TENANT, queueOf(queue))) waiting.push(...chunk);
  return inTurns(waiting);
}

/** Returns those of the tenant, up to a maximum, in the order of their ids. */
export async function waitingOf(
  { records }: Pick<Ports, 'records'>,
  queue: Queue,
  tenant: string,
  limit: number,
): Promise<Place[]> {
  const found = await records.list<Task>(SYSTEM_TENANT, queueOf(queue), { after: `${tenant}/`, limit });
  return found.filter(({ body }) => body.tenant === tenant);
}
