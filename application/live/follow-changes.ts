import type { Caller } from '#domain/access/caller.ts';
import { Fault } from '#domain/fault.ts';
import { LIVE_TOPICS, type LiveKind, type LiveTopic } from '#domain/live/live-change.ts';
import type { PendingOfKind } from '#domain/live/pending.ts';
import type { Listening } from '#domain/ports/live/live-changes.ts';
import type { Following } from './following.ts';
import { Inbox, type StreamEnding } from './inbox.ts';
import { takePlace } from './places.ts';
import { watchCredential } from './watch-credential.ts';

/** After a message the next one comes so much later at the earliest, ms. */
const BETWEEN_MS = 500;

/** A message to a reader; `position` is the end of the changes that it has received then. */
export type LiveTold =
  | { readonly say: 'hello' | 'reset'; readonly position: string }
  | { readonly say: 'changes'; readonly position: string; readonly changes: ReadonlyMap<LiveKind, PendingOfKind> }
  | { readonly say: 'bye'; readonly why: Exclude<StreamEnding, 'gone'> };

export interface Followed {
  readonly told: AsyncIterable<LiveTold>;
  /** Lets go of everything, also when nothing was read. */
  close(): void;
}

const kindsOf = (topics: readonly LiveTopic[]): ReadonlySet<LiveKind> =>
  new Set(topics.flatMap((topic): readonly LiveKind[] => LIVE_TOPICS[topic].kinds));

const countOf = (changes: ReadonlyMap<LiveKind, PendingOfKind>): number =>
  [...changes.values()].reduce((sum, { created, changed }) => sum + created + changed, 0);

async function* tellAll(
  inbox: Inbox,
  listening: Listening,
  { ports: { metrics } }: Following,
): AsyncGenerator<LiveTold> {
  const reset = (): LiveTold => {
    metrics.count('faultline_live_resets_total');
    return { say: 'reset', position: listening.position() };
  };
  const position = listening.position();
  yield { say: 'hello', position };
  if (listening.isGap) yield reset();
  for (;;) {
    await inbox.something();
    const { ending } = inbox;
    if (ending !== null) {
      if (ending === 'gone') return;
      metrics.count('faultline_live_ended_total', { reason: ending });
      yield { say: 'bye', why: ending };
      return;
    }
    const changes = inbox.take();
    if (changes === null) yield reset();
    else {
      metrics.count('faultline_live_changes_told_total', {}, countOf(changes));
      yield { say: 'changes', position: listening.position(), changes };
    }
    await inbox.rest(BETWEEN_MS);
  }
}

/** Throws Fault `forbidden` when the caller may not see one of the topics. */
const requirePermissions = ({ permissions, credentialId, tenant }: Caller, topics: readonly LiveTopic[]): void => {
  for (const topic of topics) {
    const { permission } = LIVE_TOPICS[topic];
    if (permissions.has(permission)) continue;
    const refused = { reason: 'scope', credentialId, tenant } as const;
    throw new Fault('forbidden', `The topic ${topic} needs the permission ${permission}`, [], { refused });
  }
};

/**
 * Changes in the tenant for one reader: the first at once, then a message every 500 ms at most, as fast as it is read. Ends with the
 * credential and the server. Throws Fault `forbidden`, `rate-limited` and `unavailable`.
 */
export const followChanges = async (following: Following): Promise<Followed> => {
  const { tenant, caller, ports, topics, from, signal, stopping } = following;
  requirePermissions(caller, topics);
  const inbox = new Inbox(kindsOf(topics));
  const leave = takePlace(ports, caller);
  const unwatch = watchCredential(following, () => inbox.end('expired'));
  const stop = (): void => inbox.end('stopping');
  const hangUp = (): void => inbox.end('gone');
  stopping.addEventListener('abort', stop, { once: true });
  signal.addEventListener('abort', hangUp, { once: true });
  if (stopping.aborted) stop();
  if (signal.aborted) hangUp();
  let listening: Listening | null = null;
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    hangUp();
    listening?.close();
    unwatch();
    stopping.removeEventListener('abort', stop);
    signal.removeEventListener('abort', hangUp);
    leave();
  };
  try {
    listening = await ports.live.listen(tenant, from, inbox);
    return { told: tellAll(inbox, listening, following), close };
  } catch (error) {
    close();
    throw error;
  }
};
