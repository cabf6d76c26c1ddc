import { openHookReceiver } from '#test/setup/hook-receiver.ts';
import type { Launched } from './launch.ts';

/** Refuses one of this number of deliveries once. */
const REFUSED_OF = 40;
const WAIT_MS = 60_000;

/** Webhooks whose receiver outlives the server, and CIs that change while the server is killed. */
export interface ToldHooks {
  /** Must run before any notified change; does nothing when they are registered. */
  register(server: Launched): Promise<void>;
  /** Changes CIs until it is over or the server is gone. */
  changeOn(server: Launched, isOver: () => boolean): Promise<void>;
  /**
   * Returns CIs and these events and groups that were lost, sent with two contents or first sent out of order, after
   * time for the remaining ones.
   */
  problems(stored: Stored): Promise<string[]>;
  /** Returns a summary in words. */
  summary(): string;
  stop(): Promise<void>;
}

/** Notifications due by now, each with its creation time. */
interface Stored {
  readonly events: readonly string[];
  readonly groups: readonly string[];
}

const CIS = '/cis';
const EVENTS = '/events';

export const openToldHooks = async (token: string): Promise<ToldHooks> => {
  const receiver = await openHookReceiver();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  /** Answered changes: CI and revision. */
  const answered = new Set<string>();
  const cis: string[] = [];
  let isRegistered = false;
  let serial = 0;
  const send = async (server: Launched, method: string, path: string, body: object) => {
    const reply = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
    const said = (await reply.json()) as { id: string };
    if (!reply.ok) throw new Error(`status ${reply.status}: ${JSON.stringify(said)}`);
    return { id: said.id, revision: Number(/\d+/.exec(reply.headers.get('etag') ?? '')?.[0]) };
  };
  const changeOne = async (server: Launched): Promise<void> => {
    serial += 1;
    const old = serial % 3 === 0 ? undefined : cis[(serial * 7) % Math.max(1, cis.length)];
    if (old === undefined) {
      const { id } = await send(server, 'POST', '/v1/cmdb/ci', { name: `ci-${serial}`, type: 'server' });
      cis.push(id);
      answered.add(`${id} 1`);
      return;
    }
    const { id, revision } = await send(server, 'PUT', `/v1/cmdb/ci/${old}`, { description: `change ${serial}` });
    answered.add(`${id} ${revision}`);
  };
  const at = (where: string) => receiver.received.filter(({ path }) => path === where);
  const received = () => at(CIS).map(({ body, text }) => ({ key: `${body.data.ci.id} ${body.sequence}`, body, text }));
  const made = (): string[] =>
    at(EVENTS).map(({ body: { data } }) => data.event?.eventId ?? data.correlation.correlationId);
  const missing = ({ events, groups }: Stored): string[] => {
    const keys = new Set([...received().map(({ key }) => key), ...made()]);
    return [...answered, ...events, ...groups].filter((key) => !keys.has(key));
  };
  const disorder = (): string[] => {
    const last = new Map<string, number>();
    const first = new Set<string>();
    return received().flatMap(({ key, body }) => {
      if (first.has(key)) return [];
      first.add(key);
      const { id } = body.data.ci;
      const before = last.get(id) ?? 0;
      last.set(id, body.sequence);
      return before < body.sequence ? [] : [`CI ${id}: ${body.sequence} was told after ${before}`];
    });
  };
  const refuseSome = (): void => {
    if (serial % REFUSED_OF === 0) receiver.next(503);
  };
  return {
    async register(server) {
      if (isRegistered) return;
      const of = (path: string, events: readonly string[]) =>
        send(server, 'POST', '/v1/webhooks', { name: path, url: receiver.url + path, events });
      await of(CIS, ['ci.created', 'ci.updated']);
      await of(EVENTS, ['event.created', 'correlation.created']);
      isRegistered = true;
    },
    async changeOn(server, isOver) {
      try {
        while (!isOver()) {
          refuseSome();
          await changeOne(server);
        }
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('status')) throw error;
      }
    },
    async problems(stored) {
      const until = performance.now() + WAIT_MS;
      while (missing(stored).length > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 100));
      const twice = [...Map.groupBy(receiver.received, ({ body }) => body.delivery_id)]
        .filter(([, all]) => new Set(all.map(({ text }) => text)).size > 1)
        .map(([id]) => `${id}: told with two contents`);
      return [...missing(stored).map((key) => `${key}: made or changed, not told`), ...twice, ...disorder()];
    },
    summary: () =>
      `${answered.size} changes of CIs in ${received().length} deliveries, ${new Set(made()).size} events and groups in ${made().length}`,
    stop: () => receiver.stop(),
  };
};
