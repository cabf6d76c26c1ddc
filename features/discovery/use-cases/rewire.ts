import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { MOST_WINDOW_MS } from '#domain/correlation/settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import { settleJoined, takeLeft } from './joined.ts';
import type { JoinedCis, Rebinder } from './rebinder.ts';

/** CIs with open events that one burst looks at, and the newest events of each and of all together that it tells. */
const MOST_CIS = 200;
const MOST_PER_CI = 50;
const MOST_TOLD = 500;
/** Events told of at once: who sends events meanwhile waits for as many. */
const TOLD = 25;

/** The open events on the CI that windows still reach, newest first. */
async function recentOn({ events, clock }: Ports, tenant: string, ciId: string): Promise<readonly Event[]> {
  const filter = { ciId, statuses: ['open', 'acknowledged'], from: clock.now() - MOST_WINDOW_MS } as const;
  const found = await events.find(tenant, filter, { sort: 'createdAt', order: 'desc', limit: MOST_PER_CI });
  return found.items;
}

async function rewire(ports: Ports, { tenant, ciIds }: JoinedCis): Promise<void> {
  await ports.sweeps.refresh();
  const open = [...(await ports.eventCounts.openOn(tenant, ciIds)).keys()].slice(0, MOST_CIS);
  const ids: string[] = [];
  for (const ciId of open) for (const { id } of await recentOn(ports, tenant, ciId)) ids.push(id);
  const receivedAt = ports.clock.now();
  const told = ids.slice(0, MOST_TOLD).map((eventId): Incoming => ({ ask: { kind: 'rewired', eventId }, receivedAt }));
  for (const some of slices(told, TOLD)) await ports.eventLog.append(tenant, some);
}

/**
 * Open events on CIs that got a relationship arrive again with their surroundings of now: an import amid a fault may not leave it in
 * pieces. The record is settled last: a process that dies leaves it.
 */
async function finish(ports: Ports, joined: JoinedCis): Promise<void> {
  if (!(await isBeingDeleted(ports.records, joined.tenant))) await rewire(ports, joined);
  await settleJoined(ports, joined);
}

/** Relationships that this process has added. Throws the first error after everything had its turn; failed ones are left for later. */
export async function rewireDue(ports: Ports, rebinder: Rebinder, isStopping: () => boolean): Promise<void> {
  const errors: unknown[] = [];
  for (let taken = rebinder.takeJoined(); taken !== null && !isStopping(); taken = rebinder.takeJoined())
    await finish(ports, taken).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Work that this or another process has noted and not done. Throws the first error after everything had its turn. */
export async function rewireLeft(ports: Ports, isStopping: () => boolean): Promise<void> {
  const errors: unknown[] = [];
  for await (const taken of takeLeft(ports)) {
    await finish(ports, taken).catch((error) => errors.push(error));
    if (isStopping()) return;
  }
  if (errors.length > 0) throw errors[0];
}
