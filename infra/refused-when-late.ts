/** Ports that begin nothing for a request whose time is over. */
import { Fault } from '#domain/fault.ts';
import type { Deadline } from '#domain/ports/deadline.ts';
import type { EventLog } from '#domain/ports/event-log.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';

const RETRY_AFTER_S = 5;
/** The waiter for receipts gets the answer that they are late before the request times out. */
const TO_ANSWER_MS = 500;

type Time = Pick<Deadline, 'left'>;
type Methods = Readonly<Record<string, (...asked: never[]) => Promise<unknown>>>;

const refused = (): Promise<never> =>
  Promise.reject(
    new Fault('unavailable', 'The request took too long, and nothing more is done for it', [], {
      retryAfter: RETRY_AFTER_S,
    }),
  );

/** The same port; its methods are asynchronous and plain properties. */
export const refusedWhenLate = <Port extends object>(port: Port, deadline: Time): Port => {
  const guarded = Object.entries(port as Methods).map(([name, method]) => [
    name,
    (...asked: never[]) => (deadline.left() <= 0 ? refused() : method(...asked)),
  ]);
  return Object.fromEntries(guarded) as Port;
};

/** The same ports to CIs and relationships. */
export const topologyInTime = (ports: TopologyPorts, deadline: Time): TopologyPorts => ({
  cis: refusedWhenLate(ports.cis, deadline),
  relationships: refusedWhenLate(ports.relationships, deadline),
  topology: refusedWhenLate(ports.topology, deadline),
  graph: refusedWhenLate(ports.graph, deadline),
  matcher: refusedWhenLate(ports.matcher, deadline),
  counts: refusedWhenLate(ports.counts, deadline),
  history: refusedWhenLate(ports.history, deadline),
});

/** The same log; receipts are waited for no longer than the request has. */
export const logInTime = (log: EventLog, deadline: Time): EventLog => {
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
