import { openHookReceiver } from '#test/setup/hook-receiver.ts';
import type { Launched } from './launch.ts';

/** Every so many-th delivery is refused once. */
const REFUSED_OF = 40;
const WAIT_MS = 60_000;

/** A webhook whose receiver outlives the server, and CIs that change while the server is killed. */
export interface ToldHooks {
  /** Changes CIs until it is over or the server is gone. */
  changeOn(server: Launched, isOver: () => boolean): Promise<void>;
  /** What was lost, told with two contents or first told out of order, once the server had time to tell the rest. */
  problems(): Promise<string[]>;
  /** In words. */
  summary(): string;
  stop(): Promise<void>;
}

export const openToldHooks = async (token: string): Promise<ToldHooks> => {
  const receiver = await openHookReceiver();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  /** Answered changes: CI and revision. */
  const answered = new Set<string>();
  const cis: string[] = [];
  let registering: Promise<unknown> | null = null;
  let serial = 0;
  const send = async (server: Launched, method: string, path: string, body: object) => {
    const reply = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
    const said = (await reply.json()) as { id: string };
    if (!reply.ok) throw new Error(`status ${reply.status}: ${JSON.stringify(said)}`);
    return { id: said.id, revision: Number(/\d+/.exec(reply.headers.get('etag') ?? '')?.[0]) };
  };
  /** Before the first change; again when the server died meanwhile. */
  const register = (server: Launched): Promise<unknown> => {
    const body = { name: `kept ${server.url}`, url: receiver.url, events: ['ci.created', 'ci.updated'] };
    registering ??= send(server, 'POST', '/v1/webhooks', body).catch((error) => {
      registering = null;
      throw error;
    });
    return registering;
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
  const received = () =>
    receiver.received.map(({ body, text }) => ({ key: `${body.data.ci.id} ${body.sequence}`, body, text }));
  const missing = (): string[] => {
    const keys = new Set(received().map(({ key }) => key));
    return [...answered].filter((key) => !keys.has(key));
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
    async changeOn(server, isOver) {
      try {
        await register(server);
        while (!isOver()) {
          refuseSome();
          await changeOne(server);
        }
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('status')) throw error;
      }
    },
    async problems() {
      const until = performance.now() + WAIT_MS;
      while (missing().length > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 100));
      const twice = [...Map.groupBy(received(), ({ body }) => body.delivery_id)]
        .filter(([, all]) => new Set(all.map(({ text }) => text)).size > 1)
        .map(([id]) => `${id}: told with two contents`);
      return [...missing().map((key) => `${key}: changed, not told`), ...twice, ...disorder()];
    },
    summary: () => `${answered.size} changes of CIs, ${receiver.received.length} deliveries received`,
    stop: () => receiver.stop(),
  };
};
