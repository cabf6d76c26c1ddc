import type { Launched } from './launch.ts';

/*
 * Senders of the doors that other tools know. A message has no id of its own, so one that was not answered and is sent again
 * may count twice on its event; but it is one event, and an answered one is there.
 */

interface Door {
  readonly path: string;
  readonly status: number;
  readonly body: (key: string) => unknown;
}
const DOORS: readonly Door[] = [
  {
    path: '/api/v2/alerts',
    status: 200,
    body: (key) => [{ labels: { alertname: key, instance: key }, generatorURL: 'http://prom:9090/graph' }],
  },
  {
    path: '/v2/enqueue',
    status: 202,
    body: (key) => ({
      event_action: 'trigger',
      dedup_key: key,
      payload: { summary: `Failed: ${key}`, source: key, severity: 'error' },
    }),
  },
  { path: '/v2/alerts', status: 202, body: (key) => ({ message: `Failed: ${key}`, alias: key, entity: key }) },
];

/** No two keys differ by digits alone, without which titles are compared. */
const keyOf = (serial: number): string =>
  `door-${[...String(serial)].map((digit) => String.fromCharCode('g'.charCodeAt(0) + Number(digit))).join('')}`;

export const toldDoors = (token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = new Set<string>();
  const answered = new Set<string>();
  const waiting: (readonly [Door, string])[] = [];
  let serial = 0;

  /** Sends until the server dies; what was not answered is sent again by the next one. */
  const sendOn = async (server: Launched, isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      serial += 1;
      const [door, key] = waiting.pop() ?? [DOORS[serial % DOORS.length] as Door, keyOf(serial)];
      sent.add(key);
      try {
        const reply = await fetch(server.url + door.path, {
          method: 'POST',
          headers,
          body: JSON.stringify(door.body(key)),
        });
        if (reply.status !== door.status) throw new Error(`status ${reply.status}: ${await reply.text()}`);
        answered.add(key);
      } catch (error) {
        waiting.push([door, key]);
        if (error instanceof Error && error.message.startsWith('status')) throw error;
        return;
      }
    }
  };

  /** `hosts`: the host of every stored event. */
  const problems = (hosts: readonly string[]): string[] => {
    const counts = new Map<string, number>();
    for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
    return [...sent].flatMap((key) => {
      const count = counts.get(key) ?? 0;
      if (count > 1) return [`${key}: ${count} events`];
      return count === 0 && answered.has(key) ? [`${key}: answered, not stored`] : [];
    });
  };

  return {
    sendOn,
    problems,
    isDone: () => waiting.length === 0,
    isOurs: (host: string) => sent.has(host),
    summary: () => `${sent.size} messages to Alertmanager, PagerDuty and Opsgenie, ${answered.size} answered`,
  };
};
