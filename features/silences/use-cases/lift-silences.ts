import { heldKey } from '#application/events/silences/known-silences.ts';
import { findSilence } from '#application/events/silences/silence-store.ts';
import type { Event, Suppression } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { type CompiledSilences, suppressionOf } from '#domain/event/silences/judge.ts';
import { holding } from '#domain/event/silences/recurrence.ts';
import { maintainedCi, manualEnd, silenceId } from '#domain/event/silences/silence-rule.ts';
import type { Silencer } from '#domain/ports/events/event-sweeps.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type CiMaintenance, maintainedUntil } from '#domain/topology/maintenance.ts';

/** Events per page, and pages per silence and round; the next round continues. */
const PAGE = 500;
const PAGES_PER_ROUND = 20;
const TIMEOUT_MS = 15_000;
/** Interval of checks for suppressions by other processes. */
const LOOK_MS = 5_000;

type Stores = Pick<Ports, 'records' | 'sweeps' | 'eventLog' | 'clock' | 'matcher' | 'topology' | 'graph' | 'memory'>;

/** Memory of this process from round to round. */
export interface Lifting {
  /** Time of the last read of everything that suppresses events, ms. */
  lookedAt: number;
  /** Last change of its silence by which its events were judged, ms, by silencer. */
  readonly judged: Map<string, number>;
}
export const openLifting = (): Lifting => ({ lookedAt: Number.NEGATIVE_INFINITY, judged: new Map() });
export const LIFTING: MemorySlot<Lifting> = { name: 'lifting', open: openLifting };

const look = async ({ sweeps, memory: { silences }, clock }: Stores, lifting: Lifting): Promise<void> => {
  const now = clock.now();
  if (now >= lifting.lookedAt && now < lifting.lookedAt + LOOK_MS) return;
  for (const silencer of await sweeps.silencers()) silences.held.set(heldKey(silencer.tenant, silencer.by), silencer);
  lifting.lookedAt = now;
};

type Maintenances = ReadonlyMap<string, CiMaintenance | undefined>;

/** Returns the maintenance of CIs with these ids: one that is gone, or merged into another, is in none. */
const maintenancesOf = async (ports: Stores, tenant: string, ids: readonly string[]): Promise<Maintenances> => {
  const asked = [...new Set(ids)];
  const bindings = await ports.matcher.bind(
    tenant,
    asked.map((ciId) => ({ ciId })),
  );
  return new Map(asked.map((id, i) => [id, bindings[i]?.ci?.id === id ? bindings[i].maintenance : undefined]));
};

const untilOf = (maintenances: Maintenances, ciId: string, now: number): number | null => {
  const maintenance = maintenances.get(ciId);
  return maintenance === undefined ? null : maintainedUntil(maintenance, now);
};

/** `lasts`: it holds as it did. `changed`: it holds, but may mean other events than it did. */
type Course = 'lasts' | 'changed' | 'over';

const courseOf = async (ports: Stores, { judged }: Lifting, { tenant, by }: Silencer, now: number): Promise<Course> => {
  const ciId = maintainedCi(by);
  if (ciId !== null) return untilOf(await maintenancesOf(ports, tenant, [ciId]), ciId, now) === null ? 'over' : 'lasts';
  const end = manualEnd(by);
  if (end !== null) return now < end ? 'lasts' : 'over';
  const rule = await findSilence(ports.records, tenant, silenceId(by));
  if (rule === null || holding(rule)(now) === null) return 'over';
  return rule.updatedAt > (judged.get(heldKey(tenant, by)) ?? rule.createdAt) ? 'changed' : 'lasts';
};

/** The request to the owner of the event; null while the same silence suppresses it. */
const recordOf = (event: Event, by: string, next: Suppression | null, receivedAt: number): Incoming | null => {
  if (next?.by === by) return null;
  return { ask: { kind: 'unsilenced', eventId: event.id, by, ...(next && { next }) }, receivedAt };
};

interface Judging {
  readonly compiled: CompiledSilences;
  readonly now: number;
}

const liftPage = async (
  ports: Stores,
  { tenant, by }: Silencer,
  events: readonly Event[],
  { compiled, now }: Judging,
): Promise<boolean> => {
  const maintenances = await maintenancesOf(
    ports,
    tenant,
    events.flatMap(({ ci }) => ci?.id ?? []),
  );
  const records = events
    .map((event) => {
      const ownUntil = event.ci === null ? null : untilOf(maintenances, event.ci.id, now);
      return recordOf(event, by, suppressionOf(compiled, event, ownUntil, now), now);
    })
    .filter((record) => record !== null);
  return records.length === 0 || (await ports.eventLog.request(tenant, records, { timeoutMs: TIMEOUT_MS })).done;
};

/** True when all events that it suppressed have been judged. */
const lift = async (ports: Stores, silencer: Silencer, isStopping: () => boolean): Promise<boolean> => {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_PER_ROUND && !isStopping(); page++) {
    const part = await ports.sweeps.silenced(silencer, { limit: PAGE, ...(cursor !== undefined && { cursor }) });
    const now = ports.clock.now();
    const compiled = await ports.memory.silences.of(ports, silencer.tenant, now);
    if (!(await liftPage(ports, silencer, part.items, { compiled, now }))) return false;
    if (part.nextCursor === null) return true;
    cursor = part.nextCursor;
  }
  return false;
};

const liftOne = async (
  ports: Stores,
  lifting: Lifting,
  silencer: Silencer,
  isStopping: () => boolean,
): Promise<void> => {
  const key = heldKey(silencer.tenant, silencer.by);
  const now = ports.clock.now();
  const course = await courseOf(ports, lifting, silencer, now);
  if (course === 'lasts' || !(await lift(ports, silencer, isStopping))) return;
  if (course === 'changed') lifting.judged.set(key, now);
  else {
    ports.memory.silences.held.delete(key);
    lifting.judged.delete(key);
  }
};

/**
 * Reopens events whose silence or maintenance is over, unless something else suppresses them. May be interrupted
 * anywhere: the rest is found again. Throws when one failed, after all others were processed.
 */
export const liftSilences = async (ports: Stores, lifting: Lifting, isStopping: () => boolean): Promise<void> => {
  await look(ports, lifting);
  const errors: unknown[] = [];
  for (const silencer of [...ports.memory.silences.held.values()]) {
    if (isStopping()) return;
    await liftOne(ports, lifting, silencer, isStopping).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw new Error(`${errors.length} silences couldn't be ended`, { cause: errors[0] });
};
