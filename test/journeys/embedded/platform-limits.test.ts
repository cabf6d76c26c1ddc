import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES, speaking } from '../cmdb-styles.ts';
import { expectBody } from '../refusals.ts';

const app = appOfTests({ FAULTLINE_LIMIT_SCALE: '0.05' });

describe.each(STYLES)('Limits under %s', (prefix, style) => {
  test('too many requests', async () => {
    const { send } = await speaking(app, style);
    for (const left of ['4', '3', '2', '1', '0']) {
      const { status, headers } = await send('GET', '/cmdb/ci');
      expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
        200,
        '5',
        left,
      ]);
    }
    const reply = await send('GET', '/cmdb/ci');
    expect(reply.status).toBe(429);
    expectBody(prefix, reply, 'RATE_LIMIT_EXCEEDED', undefined);
    const reset = Number(reply.headers.get('x-ratelimit-reset')) * 1_000;
    expect(reset - app.clock.now()).toBe(Number(reply.headers.get('retry-after')) * 1_000);
  });
});
