import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

let app: TestApp;
let token: string;
const { send, ci } = infrastructureOf(() => ({ app, token }));

/** A cold store with a compressor that a user wrote about, a silence, a plan, a runbook and a deployment. */
beforeAll(async () => {
  app = await openTestApp();
  app.clock.set(START - HOUR);
  token = await app.tenant('cold');
  const cool = await ci('cool-1', { type: 'server' });
  await ci('basket', { type: 'application' });
  const hall = await ci('hall', { type: 'location' });
  const dry = await ci('dry-1', { type: 'server' });
  for (const source of [dry, cool])
    await send('POST', '/api/cmdb/relationships', { source, target: hall, type: 'located_in' });
  await send('PUT', `/api/cmdb/ci/${dry}`, { attributes: { fans: 3 } });
  await send('PUT', `/api/cmdb/ci/${dry}`, { attributes: { fans: 5 } });
  const event = (title: string, hostname: string, severity: string) =>
    send('POST', '/api/events/ingest', { source: 's', sourceId: title, severity, title, hostname });
  await event('Temperature is high', 'cool-1', 'major');
  await event('Deployment of basket 7.3.0 started', 'basket', 'info');
  for (const host of ['dry-1', 'dry-2']) await event('Probe socket timeout', host, 'warning');
  await app.app.idle();
  const { body } = await send('GET', '/api/events?search=Temperature');
  const [{ eventId }] = body.events;
  const text = 'Compressor 2 rattles, the spare is ordered and arrives on friday. Harmless until then.';
  await send('POST', `/api/events/${eventId}/notes`, { text });
  const silence = { matcher: { host: 'lab-*' }, endsAt: iso(START + HOUR), reason: 'painters in the lab' };
  await send('POST', '/api/events/silences', silence);
  const ended = await send('POST', '/api/events/silences', {
    ...silence,
    matcher: { host: 'cool-1' },
    reason: 'drill',
  });
  await send('DELETE', `/api/events/silences/${ended.body.silence.id}`);
  await send('POST', '/api/events/silences', { ...silence, matcher: { host: 'dry-1' }, reason: 'new filter' });
  await send('POST', '/api/change-analysis/analyze', {
    ciId: cool,
    changeType: 'hardware',
    description: 'replace compressor 2',
    plannedTime: iso(START + 24 * HOUR),
    plannedDuration: '2h',
  });
  const runbooks = [{ url: 'https://wiki.example/rb/5', title: 'Temperature', text: 'Open the vents first.' }];
  await send('PUT', '/api/admin/settings/ai', { runbooks });
  await app.app.idle();
  app.clock.set(START);
});
afterAll(() => app.stop());

const asked = async (message: string, conversationId?: string): Promise<string> => {
  const { status, body } = await send('POST', '/api/chatbot', { message, ...(conversationId && { conversationId }) });
  expect([message, status]).toEqual([message, 200]);
  return body.response;
};

test.each([
  ['when does the spare arrive', /noted.+ago on .*Temperature is high.+arrives on friday/],
  ['does cool-1 have a rattling compressor', /^.{1,60} noted.+Compressor 2 rattles/],
  ['cool-1 temperature is red, can i ignore it', /Harmless until then/],
  ['why did the painters need a silence', /painters in the lab/],
  ['why did the humidity alarm go off in hall', /^(?!.*Temperature)/],
  ['why is dry-1 so silent', /dry-1 is silenced now.+new filter/],
  ['did anybody silence cool-1', /ended by .+drill/],
  ['how many probe timeouts were there on how many hosts', /^2 events with "probe timeouts" in the title, on 2 hosts/],
  ['dry-1 fans: what was it before', /fans of dry-1 is 5 now.+fans none → 3/],
  ['difference between silence and maintenance', /silence: .+maintenance: /],
  ['I merged two groups by mistake, how do I get them apart', /[Ss]plit/],
  ['basket 7.3 - whats the story there', /Deployment of basket 7\.3\.0 started/],
])('%s', async (question, said) => expect(await asked(question)).toMatch(said));

test('the author and the time of an answer are named on request', async () => {
  await asked('when does the spare arrive', 'talk-1');
  expect(await asked('says who', 'talk-1')).toMatch(/^The last answer is from: note by .+, .+UTC/);
});

test.each([
  ['when does it come', /arrives on friday/],
  ['can I wait with it', /Harmless until then/],
  ['when do they replace the compressor', /^Planned: "replace compressor 2"/],
])('a follow-up is answered from the records of the talk: %s', async (question, said) => {
  const talk = question.replaceAll(' ', '-');
  await asked('is the spare ordered', talk);
  expect(await asked(question, talk)).toMatch(said);
});

test('a talk about counted events goes on with them', async () => {
  await asked('how many probe timeouts were there on how many hosts', 'talk-2');
  expect(await asked('are they getting more or less', 'talk-2')).toMatch(/^2 events with "probe timeouts"/);
});

test('words that nobody has written get no record and no yes', async () => {
  expect(await asked('did the zeppelin land on cool-1')).not.toMatch(/^Yes|noted/);
});
