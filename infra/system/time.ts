import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { Fault } from '#domain/fault.ts';
import type { After, Clock, Every } from '#domain/ports/clock.ts';
import type { Deadline } from '#domain/ports/deadline.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  busy() {
    const before = performance.eventLoopUtilization();
    return () => performance.eventLoopUtilization(before).utilization;
  },
};

export const after: After = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};

export const every: Every = (ms, work) => {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
};

const RETRY_AFTER_S = 5;
/** Timeouts are rounded up to this, ms: Node stores those of one length in one list. */
const ROUNDED_MS = 100;

/** Time of one request. */
interface TimeOfRequest {
  /** Monotonic ms. */
  until: number;
}

const over = (): Fault => new Fault('unavailable', 'Request timed out', [], { retryAfter: RETRY_AFTER_S });

/**
 * Returns the first of both: the result of the work, or the Fault after this time in ms. Every request passes here, so
 * there is one promise and no race.
 */
const orLate = <T>(work: () => Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(over()), ms);
    work().then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });

/** `now` only grows; ms. */
export const openDeadline = (now: () => number = () => performance.now()): Deadline => {
  const times = new AsyncLocalStorage<TimeOfRequest | undefined>();
  const left = (): number => {
    const time = times.getStore();
    return time === undefined ? Number.POSITIVE_INFINITY : Math.max(0, time.until - now());
  };
  return {
    left,
    within: (ms, work) => times.run({ until: now() + ms }, work),
    without: (work) => times.run(undefined, work),
    inTime(work) {
      const ms = left();
      if (ms === Number.POSITIVE_INFINITY) return work();
      return ms === 0 ? Promise.reject(over()) : orLate(work, Math.ceil(ms / ROUNDED_MS) * ROUNDED_MS);
    },
    atMost: (ms, work) => orLate(work, ms),
    async uncounted(work) {
      const time = times.getStore();
      const since = now();
      try {
        return await work();
      } finally {
        if (time !== undefined) time.until += now() - since;
      }
    },
  };
};

/** The waiter for receipts gets the answer that they are late before the request times out. */
const TO_ANSWER_MS = 500;

type TimeLeft = Pick<Deadline, 'left'>;
type Methods = Readonly<Record<string, (...asked: never[]) => Promise<unknown>>>;

const refused = (): Promise<never> =>
  Promise.reject(new Fault('unavailable', 'Request timed out', [], { retryAfter: RETRY_AFTER_S }));

/** The same port; its methods are asynchronous and plain properties. */
export const refusedWhenLate = <Port extends object>(port: Port, deadline: TimeLeft): Port => {
  const guarded = Object.entries(port as Methods).map(([name, method]) => [
    name,
    (...asked: never[]) => (deadline.left() <= 0 ? refused() : method(...asked)),
  ]);
  return Object.fromEntries(guarded) as Port;
};

/** The same ports to CIs and relationships. */
export const topologyInTime = (ports: TopologyPorts, deadline: TimeLeft): TopologyPorts => ({
  cis: refusedWhenLate(ports.cis, deadline),
  relationships: refusedWhenLate(ports.relationships, deadline),
  topology: refusedWhenLate(ports.topology, deadline),
  estate: refusedWhenLate(ports.estate, deadline),
  graph: refusedWhenLate(ports.graph, deadline),
  matcher: refusedWhenLate(ports.matcher, deadline),
  counts: refusedWhenLate(ports.counts, deadline),
  history: refusedWhenLate(ports.history, deadline),
});

/** The same log; receipts are waited for no longer than the request has. */
export const logInTime = (log: EventLog, deadline: TimeLeft): EventLog => {
  const { append, room, caughtUp } = refusedWhenLate(log, deadline);
  return {
    append,
    request(tenant, records, { timeoutMs }) {
      const left = deadline.left();
      if (left <= 0) return refused();
      return log.request(tenant, records, { timeoutMs: Math.max(1, Math.min(timeoutMs, left - TO_ANSWER_MS)) });
    },
    room,
    caughtUp,
  };
};
