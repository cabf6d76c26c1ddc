import type { Caller } from '#domain/access/caller.ts';
import { Fault } from '#domain/fault.ts';
import { LIVE_TOPICS, type LiveChange, type LiveKind, type LiveTopic } from '#domain/live/live-change.ts';
import { PendingChanges, type PendingOfKind } from '#domain/live/pending.ts';
import type { Listening, LiveListener } from '#domain/ports/live/live-changes.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Reason why a stream ends; `gone`: its reader has disconnected. */
type StreamEnding = 'expired' | 'stopping' | 'gone';

/** Pending changes of one stream. It waits without a queue: however much changes, it is one message. */
class Inbox implements LiveListener {
  readonly #kinds: ReadonlySet<LiveKind>;
  readonly #pending = new PendingChanges();
  #hasMissed = false;
  #ending: StreamEnding | null = null;
  #resume = (): void => undefined;

  constructor(kinds: ReadonlySet<LiveKind>) {
    this.#kinds = kinds;
  }

  get ending(): StreamEnding | null {
    return this.#ending;
  }

  changed(change: LiveChange): void {
    if (!this.#kinds.has(change.of)) return;
    const isFirst = this.#pending.isEmpty;
    this.#pending.add(change);
    if (isFirst) this.#resume();
  }

  missed(): void {
    this.#hasMissed = true;
    this.#resume();
  }

  ended(): void {
    this.end('stopping');
  }

  /** The first reason counts. */
  end(why: StreamEnding): void {
    this.#ending ??= why;
    this.#resume();
  }

  /** Resolves when there is something to send, or at the end. */
  async something(): Promise<void> {
    while (this.#ending === null && this.#pending.isEmpty && !this.#hasMissed) await this.#woken();
  }

  /** Resolves after this time in ms, or at the end. */
  async rest(ms: number): Promise<void> {
    let isOver = ms <= 0;
    const over = (): void => {
      isOver = true;
      this.#resume();
    };
    const timer = setTimeout(over, ms);
    while (!isOver && this.#ending === null) await this.#woken();
    clearTimeout(timer);
  }

  /** Null: changes are unknown, so that everything has to be read again. */
  take(): ReadonlyMap<LiveKind, PendingOfKind> | null {
    const taken = this.#pending.take();
    if (!this.#hasMissed) return taken;
    this.#hasMissed = false;
    return null;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}

/** Readers and their topics. */
export interface Following {
  readonly tenant: string;
  readonly caller: Caller;
  readonly ports: Pick<Ports, 'live' | 'memory' | 'metrics' | 'clock'>;
  readonly topics: readonly LiveTopic[];
  /** Position of the last message that the reader has got; null: it begins. */
  readonly from: string | null;
  /** Aborted when the reader hangs up. */
  readonly signal: AbortSignal;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** The owner of the credential now; throws Fault `unauthenticated` or `tenant`. */
  recheck(): Promise<Caller>;
  /** Interval between two checks of the credential, ms; 5 s. */
  readonly checkMs?: number;
}

const CHECK_MS = 5_000;
/** Checks in a row without an answer, after which the credential counts as ended. */
const MAX_UNANSWERED = 6;
/** Maximum time of a timer, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const isRefusal = (error: unknown): boolean =>
  error instanceof Fault && ['unauthenticated', 'tenant', 'forbidden'].includes(error.kind);

/** Calls `ended` once when the credential is no longer valid, or no longer allows one of the topics. The result ends the watch. */
const watchCredential = (
  { caller, topics, recheck, ports: { clock }, checkMs = CHECK_MS }: Following,
  ended: () => void,
): (() => void) => {
  let unanswered = 0;
  let isChecking = false;
  const check = async (): Promise<void> => {
    isChecking = true;
    try {
      const { permissions } = await recheck();
      unanswered = 0;
      if (!topics.every((topic) => permissions.has(LIVE_TOPICS[topic].permission))) ended();
    } catch (error) {
      unanswered += 1;
      if (isRefusal(error) || unanswered >= MAX_UNANSWERED) ended();
    } finally {
      isChecking = false;
    }
  };
  const late = (): void => {
    unanswered += 1;
    if (unanswered >= MAX_UNANSWERED) ended();
  };
  const checks = setInterval(() => (isChecking ? late() : void check()), checkMs).unref();
  const left = (caller.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
  const expiry = left <= MAX_TIMER_MS ? setTimeout(ended, Math.max(0, left)).unref() : undefined;
  return () => {
    clearInterval(checks);
    clearTimeout(expiry);
  };
};

/** Streams that are open at a time in one process: of a user, and of all. */
const MAX_OF_USER = 20;
const MAX_OF_PROCESS = 500;
/** Seconds. */
const RETRY_AFTER = 10;

/** Acquires a slot among the open streams; the result releases it. Throws Fault `rate-limited` and `unavailable`. */
const acquireSlot = (
  { memory: { liveStreams }, metrics }: Pick<Ports, 'memory' | 'metrics'>,
  { tenant, id }: Pick<Caller, 'tenant' | 'id'>,
): (() => void) => {
  const user = `${tenant} ${id}`;
  const own = liveStreams.get(user) ?? 0;
  let all = 0;
  for (const open of liveStreams.values()) all += open;
  if (all >= MAX_OF_PROCESS)
    throw new Fault('unavailable', `Limit reached: ${MAX_OF_PROCESS} live streams per process`, [], {
      retryAfter: RETRY_AFTER,
    });
  if (own >= MAX_OF_USER)
    throw new Fault('rate-limited', `Limit reached: ${MAX_OF_USER} live streams per user`, [], {
      retryAfter: RETRY_AFTER,
    });
  const set = (by: number): void => {
    const open = (liveStreams.get(user) ?? 0) + by;
    if (open > 0) liveStreams.set(user, open);
    else liveStreams.delete(user);
    metrics.gauge(
      'faultline_live_streams',
      {},
      [...liveStreams.values()].reduce((sum, one) => sum + one, 0),
    );
  };
  set(1);
  return () => set(-1);
};

/** Minimum time between two messages, ms. */
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
    throw new Fault('forbidden', `Topic ${topic} requires permission ${permission}`, [], { refused });
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
  const leave = acquireSlot(ports, caller);
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
