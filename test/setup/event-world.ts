import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import { openLeases } from '#application/records/leases.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { openEmbedded } from '#infra/embedded/open-embedded.ts';
import { pipeline } from '#processors/pipeline.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { occurred } from './occurred.ts';
import { setClock } from './set-clock.ts';

export const TENANT = 'acme';
export const NOW = Date.parse('2026-11-20T10:00:00Z');

/** Events of one tenant in the real pipeline. */
export async function openEventWorld() {
  const clock = setClock(NOW);
  const metrics = { count() {}, gauge() {}, observe() {} };
  const log = { info() {}, warn() {}, error() {} };
  const embedded = await openEmbedded({ data: ':memory:', pipeline, clock, ids: randomIds, metrics, log });
  let pages = 0;
  const counting =
    <A extends unknown[], R>(ask: (...asked: A) => R) =>
    (...asked: A): R => {
      pages += 1;
      return ask(...asked);
    };
  const events = { ...embedded.events, part: counting(embedded.events.part) };
  const sweeps = { ...embedded.sweeps, unbound: counting(embedded.sweeps.unbound) };
  const memory = openMemory(embedded.records, new CallerCache());
  const ports = {
    ...embedded,
    eventLog: embedded.log,
    events,
    sweeps,
    memory,
    leases: openLeases({ records: embedded.records, clock }, { isAlone: true }),
    clock,
    ids: randomIds,
    background: { ring() {}, unbound() {} },
  } as unknown as Ports;
  await ports.records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, TENANT, { id: TENANT, disabled: false });
  const told = async (...drafts: readonly Partial<EventDraft>[]): Promise<string[]> => {
    const records = drafts.map((draft, n): Incoming => occurred({ sourceId: `${n}`, receivedAt: NOW, ...draft }));
    const reply = await ports.eventLog.request(TENANT, records, { timeoutMs: 5_000 });
    return reply.done ? reply.receipts.map((one) => (one.ok ? (one.id as string) : '')) : [];
  };
  const idle = () => embedded.runner.idle();
  /** Returns the binding method of each event. */
  const methods = async (ids: readonly string[]) => {
    await idle();
    const events = new Map((await ports.events.getMany(TENANT, ids)).map((event) => [event.id, event]));
    return ids.map((id) => events.get(id)?.ci?.method ?? null);
  };
  /** Pages of events that `work` asks for. */
  const asked = async (work: () => Promise<void>): Promise<number> => {
    const before = pages;
    await work();
    return pages - before;
  };
  return { ports, clock, told, methods, asked, idle, close: embedded.close };
}

export type EventWorld = Awaited<ReturnType<typeof openEventWorld>>;
