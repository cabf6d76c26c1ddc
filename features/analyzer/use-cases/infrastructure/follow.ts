import type { TenantContext } from '#application/access/context.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { isLast, type ProgressEvent } from './progress-event.ts';
import { findSession, firstStoredAfter, newestEvent, readEvent } from './records.ts';

/** Open at a time in one process, of one tenant. */
export const MAX_STREAMS = 50;
/** The period of looking for messages of other processes, ms. */
const POLL_MS = 1_000;
/** Looks in vain after which the session is looked for, too. */
const LOOKS = 15;

export interface ToldProgress {
  readonly n: number;
  readonly event: ProgressEvent;
}

/** Signals events of this process, and remembers a signal while its stream is busy. */
function openListener() {
  let isRung = false;
  let look = (): void => undefined;
  const hear = (): void => {
    isRung = true;
    look();
  };
  /** Resolves on a signal of the process, after a second, or on abort. */
  const rung = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    look = resolve;
    const timer = setTimeout(look, POLL_MS);
    signal.addEventListener('abort', look, { once: true });
    if (!isRung && !signal.aborted) await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', look);
    isRung = false;
  };
  return { hear, rung };
}

/** Number of the last event that the listener does not need: the last it has seen, except for dropped events. */
async function startAfter({ tenant, ports: { records } }: TenantContext, id: string, seen: number): Promise<number> {
  const isKept = async (n: number): Promise<boolean> => (await readEvent(records, tenant, id, n)) !== null;
  if (await isKept(seen + 1)) return seen;
  const first = await firstStoredAfter(records, tenant, id, seen);
  // The missing event may have been sent in between.
  if (first !== null) return (await isKept(seen + 1)) ? seen : first - 1;
  return seen === 0 || (await isKept(seen)) ? seen : newestEvent(records, tenant, id);
}

/** Listens to events of this process for the tenant, until it is stopped. */
function listen({ streams }: Ports['memory'], tenant: string, hear: () => void): () => void {
  const open = streams.get(tenant) ?? new Set();
  streams.set(tenant, open.add(hear));
  return () => {
    open.delete(hear);
    if (open.size === 0 && streams.get(tenant) === open) streams.delete(tenant);
  };
}

async function* follow(
  { tenant, ports }: TenantContext,
  id: string,
  seen: number,
  signal: AbortSignal,
): AsyncGenerator<ToldProgress> {
  const listener = openListener();
  const callOff = listen(ports.memory, tenant, listener.hear);
  let inVain = 0;
  try {
    for (let n = seen + 1; !signal.aborted; ) {
      const event = await readEvent(ports.records, tenant, id, n);
      if (event !== null) {
        yield { n, event };
        if (isLast(event)) return;
        n += 1;
        inVain = 0;
        continue;
      }
      await listener.rung(signal);
      inVain += 1;
      if (inVain % LOOKS === 0 && (await findSession(ports.records, tenant, id)) === null) return;
    }
  } catch (error) {
    // The listener reconnects by itself, and resumes at its position.
    if (!(error instanceof Fault && error.kind === 'unavailable')) throw error;
  } finally {
    callOff();
  }
}

interface Listening {
  readonly sessionId: string;
  /** Number of the last event that the listener has seen; 0: none. */
  readonly seen: number;
  readonly signal: AbortSignal;
}

/**
 * Progress of a session after an event, and from now on to its end. Null when it has ended and all was seen. Throws Fault
 * `not-found` and, when too many listen, `rate-limited`.
 */
export async function followAnalysis(
  following: TenantContext,
  { sessionId: id, seen, signal }: Listening,
): Promise<AsyncIterable<ToldProgress> | null> {
  const { tenant, ports } = following;
  if ((await findSession(ports.records, tenant, id)) === null) throw notFound('Analysis', id);
  const after = await startAfter(following, id, seen);
  const last = after === 0 ? null : await readEvent(ports.records, tenant, id, after);
  if (last !== null && isLast(last)) return null;
  if ((ports.memory.streams.get(tenant)?.size ?? 0) >= MAX_STREAMS)
    throw new Fault('rate-limited', `Limit reached: ${MAX_STREAMS} progress streams per tenant`);
  return follow(following, id, after, signal);
}
