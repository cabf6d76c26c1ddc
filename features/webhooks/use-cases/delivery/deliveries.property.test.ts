import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type App, start } from '#app';
import { readConfig } from '#infra/config.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openHookReceiver } from '#test/setup/hook-receiver.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { setClock } from '#test/setup/set-clock.ts';

const TOKEN = 'token-of-the-property-test';
const STEP_MS = 30 * 60_000;
/** Longer than all retries and pauses that a run can cause. */
const PATIENCE = 200;
const directory = temporaryDirectory();
afterAll(() => directory.remove());

type Step =
  | { readonly does: 'make' | 'change'; readonly n: number }
  | { readonly does: 'refuse' | 'hang-up' | 'restart' | 'wait' };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('make' as const, 'change' as const), n: fc.nat(4) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('refuse' as const, 'hang-up' as const, 'restart' as const, 'wait' as const),
    }),
  },
);

const config = (name: string) =>
  readConfig({
    PORT: '0',
    FAULTLINE_DATA: `${directory.path}/${name}`,
    FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
    FAULTLINE_ADMIN_PASSWORD: 'a password for tests',
    FAULTLINE_LIMIT_SCALE: '0',
    FAULTLINE_LOG_LEVEL: 'silent',
    FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8',
  });

let opened = 0;

const told = async (steps: readonly Step[]) => {
  const receiver = await openHookReceiver();
  const clock = setClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const name = `run-${++opened}`;
  let app: App = await start(config(name), { clock });
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const reply = await fetch(app.url + path, { method, headers, body: JSON.stringify(body) });
    return (await reply.json()) as { id: string };
  };
  const settled = async () => {
    app.ports.background.ring('deliver-webhooks');
    await app.idle();
  };
  const cis: string[] = [];
  const expected = new Map<string, number>();
  try {
    await send('POST', '/v1/webhooks', { name: 'w', url: receiver.url, events: ['ci.created', 'ci.updated'] });
    for (const [at, one] of steps.entries()) {
      if (one.does === 'make' || cis.length === 0) {
        const { id } = await send('POST', '/v1/cmdb/ci', { name: `ci ${at}`, type: 'server' });
        cis.push(id);
        expected.set(id, 1);
      } else if (one.does === 'change') {
        const id = cis[one.n % cis.length]!;
        await send('PUT', `/v1/cmdb/ci/${id}`, { description: `change ${at}` });
        expected.set(id, expected.get(id)! + 1);
      } else if (one.does === 'refuse') receiver.next(500, 503);
      else if (one.does === 'hang-up') receiver.next('hang-up');
      else if (one.does === 'wait') {
        clock.advance(STEP_MS);
        await settled();
      } else {
        await app.stop();
        app = await start(config(name), { clock });
      }
    }
    const all = [...expected].flatMap(([id, last]) => Array.from({ length: last }, (_, n) => `${id} ${n + 1}`));
    const keyOf = (body: { data: { ci: { id: string } }; sequence: number }) => `${body.data.ci.id} ${body.sequence}`;
    const isDone = async () => {
      const page = await app.ports.records.list('_system', 'webhook-due', { limit: 1 });
      return page.length === 0;
    };
    for (let waited = 0; waited < PATIENCE; waited++) {
      await settled();
      if (await isDone()) break;
      clock.advance(STEP_MS);
    }
    return { all, received: receiver.received.map(({ body, text }) => ({ body, text, key: keyOf(body) })) };
  } finally {
    await app.stop();
    await receiver.stop();
  }
};

test(
  'whatever fails and restarts: nothing is lost, no delivery has two contents, first attempts of a CI are in order',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { all, received } = await told(steps);
        expect([...new Set(received.map(({ key }) => key))].sort()).toEqual([...all].sort());
        for (const same of Map.groupBy(received, ({ body }) => body.delivery_id).values())
          expect(new Set(same.map(({ text }) => text)).size).toBe(1);
        const firsts = new Map<string, number[]>();
        const seen = new Set<string>();
        for (const { body, key } of received) {
          if (seen.has(key)) continue;
          seen.add(key);
          const id = body.data.ci.id;
          firsts.set(id, [...(firsts.get(id) ?? []), body.sequence]);
        }
        for (const order of firsts.values()) expect(order).toEqual([...order].sort((a, b) => a - b));
      }),
      { numRuns: runs({ short: 4, long: 200 }) },
    );
  },
  longest(240_000),
);
