import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/* Numbers within an incident that words describe, what follows them, and the product by its documentation. */

const MINUTE = 60_000;

let app: TestApp;
let token: string;
const ids: Record<string, string> = {};
const { send, ci, join } = infrastructureOf(() => ({ app, token }));

beforeAll(async () => {
  app = await openTestApp();
  app.clock.set(START - 600 * MINUTE);
  token = await app.tenant('tally');
  for (const [name, type] of Object.entries({
    par1: 'site',
    rom2: 'site',
    'par1-ups-a': 'power_feed',
    'rom2-san-01': 'storage',
  }))
    ids[name] = await ci(name, { type });
  for (const name of ['par1-web-01', 'par1-web-02', 'par1-web-03']) {
    ids[name] = await ci(name, { attributes: { team: 'shop' } });
    await join(ids[name]!, ids['par1-ups-a']!);
  }
  ids.cart = await ci('cart', { type: 'application' });
  await join(ids.cart, ids['par1-web-01']!);
  const event = (title: string, hostname: string, ago: number, more: object = {}) => {
    app.clock.set(START - ago * MINUTE);
    return send('POST', '/api/events/ingest', {
      source: 's',
      sourceId: title + hostname,
      severity: 'critical',
      title,
      hostname,
      ...more,
    });
  };
  await event('LUN latency is high', 'rom2-san-01', 90);
  await event('Power feed lost', 'par1-ups-a', 20);
  for (const name of ['par1-web-01', 'par1-web-02', 'par1-web-03']) await event('Host DOWN', name, 19);
  await event('Slow replies', 'cart', 18, { severity: 'major' });
  for (const name of ['par1-ups-a', 'par1-web-01', 'par1-web-02']) {
    app.clock.set(START - 5 * MINUTE);
    const title = name === 'par1-ups-a' ? 'Power feed lost' : 'Host DOWN';
    await event(title, name, 5, { status: 'resolved' });
  }
  await app.app.idle();
  app.clock.set(START);
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: replies are checked against their schemas by the server.
const asked = async (message: string, conversationId?: string): Promise<any> => {
  const { status, body } = await send('POST', '/api/chatbot', { message, ...(conversationId && { conversationId }) });
  expect([message, status, body.error]).toEqual([message, 200, undefined]);
  return body;
};

test('counts of a described incident say what they count, and are followed up', async () => {
  const { response, conversationId } = await asked('how many boxes went down in the par power cut');
  expect(response).toContain('3 hosts with an event that reports them down, in the incident that began with');
  expect(response).toContain('"Power feed lost" on par1-ups-a');
  expect((await asked('n how many of those are still out', conversationId)).response).toMatch(
    /^1 host with an open event that reports them down, of 3 hosts .*: par1-web-03\./,
  );
});

test('an incident of another kind is not counted', async () => {
  const { response } = await asked('how many boxes went down in the rom power cut');
  expect(response).toMatch(/^Read|No incident found|Not known/);
  expect(response).not.toMatch(/\d hosts? with/);
});

describe('what is not named is asked back', () => {
  test('a first message is not about the most urgent incident by itself', async () => {
    const { response, abstained } = await asked('who is dealing with it');
    expect(response).toContain('Which incident do you mean? Open: ');
    expect(abstained).toBe(true);
  });
  test('no act of a person is read from events', async () => {
    const { response } = await asked('did they drain the servers first?');
    expect(response).toBe('Not known: events do not record the acts of a person.');
  });
});

test.each([
  ['how do I take back an acknowledge', 'Press Shift a: Unacknowledge: take back an acknowledgement'],
  ['what does "recurring" mean on an event', 'recurring: Present most of the last four hours.'],
  ['raw score vs adjusted score??', 'the adjusted score decides. (Glossary, Correlation and root cause)'],
])('%s', async (message, said) => {
  expect((await asked(message)).response).toContain(said);
});
