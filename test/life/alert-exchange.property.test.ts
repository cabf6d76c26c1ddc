import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { jobs } from '#whole';

/*
 * Two Prometheus servers of an HA pair before Faultline, and an Alertmanager behind it that sends everything back, in random
 * order: alerts are open as they fire, none ends while its senders are silent, and the Alertmanager has exactly what is open.
 */

const MINUTE = 60_000;
const RULES = 6;
/** Prometheus reports an end for so long. */
const ENDED_MS = 15 * MINUTE;
/** After this time with the sender, alerts that ended unseen are over. */
const SETTLED_MS = 21 * MINUTE;

const rule = fc.nat(RULES - 1);
const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ does: fc.constant('minute' as const) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('toggle' as const), rule }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('acknowledge' as const), rule }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('prometheus' as const), which: fc.nat(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('blackout' as const), minutes: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('receiver' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('loop' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const never = (): boolean => false;
const iso = (ms: number): string => new Date(ms).toISOString();
const WATCHDOG = RULES;
const letterOf = (one: number): string => 'abcdefw'[one] ?? '';
const titleOf = (one: number): string => `Exchange ${letterOf(one)} failed`;
const hostOf = (one: number): string => `host-${letterOf(one)}`;

interface Prometheus {
  up: boolean;
  /** Start of the current spell, ms. */
  since: number;
  readonly firing: Set<number>;
  readonly ended: Map<number, number>;
}

/** All parties, and what they should know. */
class Exchange {
  readonly #it: TestApp;
  readonly #behind: HookReceiver;
  #seen = 0;
  #isBehindUp = true;
  /** Ends of alerts by their labels, as the Alertmanager behind knows them. */
  readonly #told = new Map<string, number>();
  readonly #since = new Map<number, number>();
  readonly #pair: readonly Prometheus[];
  readonly #open = new Set<number>();
  /** The server that reported an alert last. */
  readonly #last = new Map<number, number>();

  constructor(it: TestApp, behind: HookReceiver) {
    this.#it = it;
    this.#behind = behind;
    const now = it.clock.now();
    this.#pair = [0, 1].map(() => ({ up: true, since: now, firing: new Set(), ended: new Map() }));
  }

  async open(): Promise<void> {
    await this.#send('POST', '/v1/webhooks', {
      name: 'behind',
      url: `${new URL(this.#behind.url).origin}/api/v2/alerts`,
      events: ['correlation.created', 'event.ungrouped'],
      format: 'alertmanager-api',
    });
  }

  async #send(method: string, path: string, body?: unknown) {
    const reply = await this.#it.send(method, path, body);
    if (reply.status > 299) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async #run(name: string): Promise<void> {
    await jobs.find((job) => job.name === name)!.run({ ports: this.#it.app.ports } as never, never);
    await this.#it.app.idle();
  }

  toggle(one: number): void {
    const now = this.#it.clock.now();
    const fires = !this.#since.delete(one);
    if (fires) this.#since.set(one, now);
    for (const { up, firing, ended } of this.#pair) {
      if (!up) continue;
      if (fires) firing.add(one);
      else firing.delete(one);
      if (fires) ended.delete(one);
      else ended.set(one, now);
    }
  }

  /** A server that is back has forgotten what ended. */
  setUp(which: number, up: boolean): void {
    const prometheus = this.#pair[which]!;
    if (prometheus.up === up) return;
    prometheus.up = up;
    prometheus.firing.clear();
    prometheus.ended.clear();
    prometheus.since = this.#it.clock.now();
    if (up) for (const one of this.#since.keys()) prometheus.firing.add(one);
  }

  flip(which: number): void {
    this.setUp(which, !this.#pair[which]!.up);
  }

  flipBehind(): void {
    this.#isBehindUp = !this.#isBehindUp;
    this.#behind.always(this.#isBehindUp ? 200 : 503);
  }

  async acknowledge(one: number): Promise<void> {
    const { events } = await this.#send('GET', `/api/events?status=open&host=${hostOf(one)}`);
    for (const { eventId } of events)
      await this.#send('PATCH', `/api/events/${eventId}/status`, { status: 'acknowledged' });
  }

  /** The Alertmanager behind sends all that it has to Faultline. */
  async loop(): Promise<void> {
    const now = this.#it.clock.now();
    const alerts = [...this.#told].map(([labels, endsAt]) => ({
      labels: JSON.parse(labels),
      annotations: {},
      status: endsAt > now ? 'firing' : 'resolved',
      startsAt: iso(endsAt - 30 * MINUTE),
      endsAt: iso(endsAt),
    }));
    const count = async () => (await this.#send('GET', '/api/events?status=all&limit=1')).pagination.total;
    const before = await count();
    if (alerts.length > 0) {
      await this.#send('POST', '/api/v2/alerts', alerts);
      await this.#send('POST', '/api/events/webhook/alertmanager', { version: '4', alerts });
    }
    expect(await count()).toBe(before);
  }

  async #post(which: number): Promise<void> {
    const now = this.#it.clock.now();
    const { firing, ended } = this.#pair[which]!;
    for (const [one, at] of ended) if (now - at > ENDED_MS) ended.delete(one);
    const alertOf = (one: number, endsAt: number) => ({
      labels: { alertname: titleOf(one), instance: hostOf(one), severity: 'critical', prometheus_replica: `${which}` },
      annotations: { summary: titleOf(one) },
      startsAt: iso(Math.min(endsAt, this.#since.get(one) ?? endsAt - MINUTE)),
      endsAt: iso(endsAt),
      generatorURL: `http://prom-${which}:9090/graph`,
    });
    const alerts = [
      // One that always fires, as in most installations.
      alertOf(WATCHDOG, now + 4 * MINUTE),
      ...[...firing].map((one) => alertOf(one, now + 4 * MINUTE)),
      ...[...ended].map(([one, at]) => alertOf(one, at)),
    ];
    await this.#send('POST', '/api/v2/alerts', alerts);
    for (const one of firing) this.#open.add(one);
    for (const one of ended.keys()) this.#open.delete(one);
    for (const one of firing) this.#last.set(one, which);
  }

  async minute(): Promise<void> {
    this.#it.clock.advance(MINUTE);
    for (const [which, { up }] of this.#pair.entries()) if (up) await this.#post(which);
    await this.#it.app.idle();
    await this.#run('end-expired-alerts');
    await this.#run('push-alerts');
    this.#hear();
    await this.#checkBefore();
    if (this.#isBehindUp) await this.#checkBehind();
  }

  #hear(): void {
    for (const { body } of this.#behind.received.slice(this.#seen))
      if (this.#isBehindUp)
        for (const { labels, endsAt } of body) this.#told.set(JSON.stringify(labels), Date.parse(endsAt));
    this.#seen = this.#behind.received.length;
  }

  async #checkBefore(): Promise<void> {
    const now = this.#it.clock.now();
    const { events } = await this.#send('GET', '/api/events?status=open,acknowledged&source=prometheus&limit=100');
    const titles: string[] = events.map(({ title }: { title: string }) => title);
    const isOpen = (one: number): boolean => titles.includes(titleOf(one));
    for (const one of this.#open) {
      if (this.#since.has(one)) continue;
      const { up, since } = this.#pair[this.#last.get(one)!]!;
      if (isOpen(one) && up && now - since > SETTLED_MS) throw new Error(`${titleOf(one)} did not end`);
      if (!isOpen(one)) this.#open.delete(one);
    }
    const expected = [...this.#open].map(titleOf);
    expect(titles.filter((title) => title !== titleOf(WATCHDOG)).sort()).toEqual(expected.sort());
  }

  async #checkBehind(): Promise<void> {
    const now = this.#it.clock.now();
    const { groups } = await this.#send('GET', '/api/events/groups?status=active,acknowledged&limit=100');
    const { events } = await this.#send(
      'GET',
      '/api/events?status=open,acknowledged&grouped=false&usual=false&limit=100',
    );
    const expected = [
      ...groups.map(({ correlationId }: { correlationId: string }) => correlationId),
      ...events.map(({ eventId }: { eventId: string }) => eventId),
    ];
    const fires = [...this.#told].filter(([, endsAt]) => endsAt > now).map(([labels]) => JSON.parse(labels));
    const ids = fires.map(({ faultline_group: group, faultline_event: event }) => group ?? event);
    expect([...new Set(ids)].sort()).toEqual(expected.sort());
  }
}

const take = async (exchange: Exchange, step: Step): Promise<void> => {
  switch (step.does) {
    case 'minute':
      return exchange.minute();
    case 'toggle':
      return exchange.toggle(step.rule);
    case 'acknowledge':
      return exchange.acknowledge(step.rule);
    case 'prometheus':
      return exchange.flip(step.which);
    case 'receiver':
      return exchange.flipBehind();
    case 'loop':
      return exchange.loop();
    default:
      for (const which of [0, 1]) exchange.setUp(which, false);
      for (let minute = 0; minute < step.minutes; minute++) await exchange.minute();
      for (const which of [0, 1]) exchange.setUp(which, true);
  }
};

const STEPS = runs({ short: 300, long: 1_000 });

test(
  'random steps leave all parties agreed',
  () =>
    fc.assert(
      fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
        const behind = await openHookReceiver();
        const it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
        try {
          const exchange = new Exchange(it, behind);
          await exchange.open();
          for (const one of fc.sample(step, { seed, numRuns: STEPS })) await take(exchange, one);
        } finally {
          await it.stop();
          await behind.stop();
        }
      }),
      { numRuns: runs({ short: 1, long: 30 }) },
    ),
  longest(120_000),
);
