import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

/*
 * Faultline and a PagerDuty that reports every change, also those that Faultline made, late, twice and in any order: nothing goes
 * round in circles, and both agree on what is resolved.
 */

const SECRET = 'a-signing-secret-of-the-service';
const EVENTS = 5;
const STEPS = runs({ short: 400, long: 1_000 });

const which = fc.nat(EVENTS - 1);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('here' as const),
      which,
      status: fc.constantFrom('acknowledged', 'resolved', 'open'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('there' as const),
      which,
      state: fc.constantFrom('acknowledged', 'resolved'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('reply' as const), at: fc.nat(100), keeps: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('wait' as const), seconds: fc.integer({ min: 10, max: 90 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** PagerDuty with the incidents of one service. */
class PagerDuty {
  readonly #states = new Map<string, string>();
  readonly #generations = new Map<string, number>();
  #serial = 0;
  /** Webhooks that are on their way. */
  readonly outbox: string[] = [];

  stateOf(key: string): string | undefined {
    return this.#states.get(key);
  }

  set(key: string, state: string, at: number): void {
    const before = this.#states.get(key);
    if (before === undefined && state !== 'triggered') return;
    if (before === state || (before === 'resolved' && state !== 'triggered')) return;
    if (before === 'acknowledged' && state === 'triggered') return;
    this.#states.set(key, state);
    if (state === 'triggered') this.#generations.set(key, (this.#generations.get(key) ?? 0) + 1);
    const event = {
      id: `01E${++this.#serial}`,
      event_type: `incident.${state}`,
      occurred_at: new Date(at).toISOString(),
      agent: { summary: 'Ann Example', type: 'user_reference' },
      data: { id: `P${key}-${this.#generations.get(key)}`, type: 'incident', incident_key: key },
    };
    this.outbox.push(JSON.stringify({ event }));
  }

  enqueue({ event_action: action, dedup_key: key }: { event_action: string; dedup_key: string }, at: number): void {
    this.set(key, { trigger: 'triggered', acknowledge: 'acknowledged', resolve: 'resolved' }[action] ?? '', at);
  }
}

class Exchange {
  readonly #it: TestApp;
  readonly #receiver: HookReceiver;
  readonly #pager = new PagerDuty();
  readonly #ids: string[] = [];
  #webhook = '';
  #heard = 0;
  actions = 0;

  constructor(it: TestApp, receiver: HookReceiver) {
    this.#it = it;
    this.#receiver = receiver;
  }

  get sent(): number {
    return this.#receiver.received.length;
  }

  async open(): Promise<void> {
    const { body } = await this.#it.send('POST', '/v1/webhooks', {
      name: 'pager',
      url: this.#receiver.url,
      events: ['event.created', 'event.status_changed'],
      format: 'pagerduty',
      reply_secret: SECRET,
      headers: { 'X-Routing-Key': 'k' },
    });
    this.#webhook = body.id;
    for (let n = 0; n < EVENTS; n++) {
      const hostname = `host-${'abcdef'[n]}`;
      const event = { source: 's', sourceId: hostname, severity: 'critical', title: `${hostname} is down`, hostname };
      this.#ids.push((await this.#it.send('POST', '/api/events/ingest', event)).body.eventId);
      this.#it.clock.advance(5 * 3_600_000);
      await this.deliver();
    }
    this.#pager.outbox.length = 0;
  }

  async #statusOf(n: number): Promise<string> {
    await this.#it.app.idle();
    return (await this.#it.send('GET', `/api/events/${this.#ids[n]}`)).body.event.status;
  }

  /** No two decisions are made at one moment: clocks do not tell which was the last then. */
  #act(): void {
    this.actions += 1;
    this.wait(10);
  }

  async here(n: number, status: string): Promise<void> {
    this.#act();
    // PagerDuty cannot be made to reopen an incident as an acknowledged one.
    if (status === 'acknowledged' && (await this.#statusOf(n)) === 'resolved') return;
    await this.#it.send('POST', '/api/events/status', { ids: [this.#ids[n]], status });
  }

  there(n: number, state: string): void {
    this.#act();
    this.#pager.set(`faultline event ${this.#ids[n]}`, state, this.#it.clock.now());
  }

  async deliver(): Promise<void> {
    await this.#it.app.idle();
    for (let before = -1; before < this.sent; ) {
      before = this.sent;
      this.#it.app.ports.background.ring('deliver-webhooks');
      await this.#it.app.idle();
    }
    for (const { body } of this.#receiver.received.slice(this.#heard)) this.#pager.enqueue(body, this.#it.clock.now());
    this.#heard = this.#receiver.received.length;
  }

  async reply(at: number, keeps = false): Promise<void> {
    const { outbox } = this.#pager;
    const place = at % Math.max(1, outbox.length);
    const body = keeps ? outbox[place] : outbox.splice(place, 1)[0];
    if (body === undefined) return;
    const signature = `v1=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    const headers = { 'x-pagerduty-signature': signature };
    const reply = await this.#it.send('POST', `/api/webhooks/${this.#webhook}/replies`, body, { token: null, headers });
    expect(reply.status).toBe(200);
  }

  wait(seconds: number): void {
    this.#it.clock.advance(seconds * 1_000);
  }

  /** Lets everything arrive. */
  async settle(): Promise<void> {
    let rounds = 0;
    do {
      await this.deliver();
      while (this.#pager.outbox.length > 0) await this.reply(0);
      await this.deliver();
      expect(++rounds).toBeLessThan(4);
    } while (this.#pager.outbox.length > 0);
    for (const [n, id] of this.#ids.entries()) {
      const there = this.#pager.stateOf(`faultline event ${id}`);
      const here = await this.#statusOf(n);
      expect([id, here === 'resolved']).toEqual([id, there === 'resolved']);
    }
  }
}

const take = async (exchange: Exchange, step: Step): Promise<void> => {
  if (step.does === 'here') await exchange.here(step.which, step.status);
  else if (step.does === 'there') exchange.there(step.which, step.state);
  else if (step.does === 'reply') await exchange.reply(step.at, step.keeps);
  else exchange.wait(step.seconds);
  await exchange.deliver();
};

test(
  'random actions on both sides end in agreement',
  () =>
    fc.assert(
      fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
        const receiver = await openHookReceiver();
        const it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
        try {
          const exchange = new Exchange(it, receiver);
          await exchange.open();
          for (const [n, one] of fc.sample(step, { seed, numRuns: STEPS }).entries()) {
            await take(exchange, one);
            if (n % 200 === 199) await exchange.settle();
          }
          expect(exchange.sent).toBeLessThanOrEqual(EVENTS + exchange.actions);
        } finally {
          await it.stop();
          await receiver.stop();
        }
      }),
      { numRuns: runs({ short: 1, long: 20 }) },
    ),
  longest(120_000),
);
