import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { testSink } from '#test/setup/sink-kit.ts';
import { START } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';

const sink = testSink('tell');
const app = appOfTests({}, { sinks: [sink] });

let serial = 0;
const ingest = async (): Promise<string> => {
  serial += 1;
  const event = { source: 'test', sourceId: `${serial}`, severity: 'major', timestamp: START, title: `Disk ${serial}` };
  const { body } = await app.send('POST', '/api/events/ingest', { ...event, hostname: `host-${serial}` });
  return body.eventId;
};
const shown = async () => {
  const { body } = await app.send('GET', '/api/admin/pipeline');
  return body.data.processors.find(({ name }: { name: string }) => name === 'tell');
};
const ask = (verb: string, name = 'tell', token?: string) =>
  app.send('POST', `/api/admin/pipeline/${name}/${verb}`, {}, token === undefined ? {} : { token });

test('a sink is told of a new event, and of its new status', async () => {
  const id = await ingest();
  await app.app.idle();
  await app.send('PATCH', `/api/events/${id}/status`, { status: 'acknowledged' });
  await app.app.idle();
  const ulid = id.replace('EVT-', '');
  expect(sink.taken).toMatchObject([
    { happened: 'created', id: ulid },
    { happened: 'status', id: ulid, previousStatus: 'open' },
  ]);
});

test('a sink is shown beside the processors, in the checks and in the measurements', async () => {
  // Data of brokers is two seconds old at most.
  await until(async () => (await shown()).lag === 0);
  expect(await shown()).toMatchObject({ kind: 'sink', input: 'events.saved', status: 'running', paused: null });
  const { body } = await app.send('GET', '/readyz?verbose');
  expect(JSON.stringify(body)).toContain('sink tell');
  const { body: text } = await app.send('GET', '/metrics');
  expect(text).toContain('faultline_processor_lag{processor="tell"} 0');
});

test('a paused sink takes nothing until it is resumed; who has paused it is shown and kept', async () => {
  const { status, body } = await ask('pause');
  expect([status, body.data]).toEqual([
    200,
    { name: 'tell', paused: { by: expect.objectContaining({ username: expect.any(String) }), at: expect.any(String) } },
  ]);
  expect((await ask('pause')).body.data).toEqual(body.data);
  const before = sink.given.length;
  await ingest();
  await app.app.idle();
  expect([sink.given.length, await shown()]).toMatchObject([before, { status: 'paused', paused: body.data.paused }]);
  expect((await ask('resume')).body.data).toEqual({ name: 'tell', paused: null });
  await until(async () => sink.given.length > before);
  const { body: trail } = await app.send('GET', '/api/admin/audit?target=sink/tell');
  expect(trail.data.map(({ action }: { action: string }) => action)).toEqual(['sink.resumed', 'sink.paused']);
});

test('only platform administrators pause, and only sinks', async () => {
  const admin = await app.tenant('acme');
  expect(await ask('pause', 'tell', admin)).toMatchObject({ status: 403 });
  expect(await ask('pause', 'nothing')).toMatchObject({ status: 404 });
  const { status, body } = await ask('resume', 'dedup');
  expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('Sinks: tell')]);
});

test('what a sink could not take is a dead letter, and replayed it is taken once', async () => {
  sink.trouble = () => {
    throw new TypeError('cannot read it');
  };
  const id = await ingest();
  const waiting = async () => (await app.send('GET', '/api/admin/dead-letters?processor=tell')).body.data;
  await until(async () => {
    await app.app.idle();
    return (await waiting()).length > 0;
  });
  const [letter] = await waiting();
  expect(letter).toMatchObject({ reason: 'cannot read it', attempts: 3, topic: 'events.saved' });
  const path = `/api/admin/dead-letters/${letter.id}`;
  expect((await app.send('GET', path)).body.data).toMatchObject({ not_replayable: null });
  const refused = await app.send('POST', `${path}/replay`, {});
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('cannot read it')]);
  sink.trouble = null;
  const before = sink.taken.length;
  const { status, body } = await app.send('POST', `${path}/replay`, {});
  expect([status, body.data.settled.outcome]).toEqual([200, 'taken']);
  await app.send('POST', `${path}/replay`, {});
  expect(sink.taken.slice(before)).toMatchObject([{ happened: 'created', id: id.replace('EVT-', '') }]);
});
