import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_AI_SETTINGS } from '#domain/ai/settings.ts';
import type { Event } from '#domain/event/event.ts';
import { analyseEvents, isAnalysed } from '#features/analysis/use-cases/analyse-events.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const MINUTE = 60_000;
const TITLES = ['Disk full', 'Login page answers with an error', 'Queue of mails grows', 'Release 4.2 deployed'];

const app = appOfTests();

interface Given {
  readonly host: number;
  readonly title: number;
  readonly minutes: number;
}

const eventsOf = async (tenant: string): Promise<readonly Event[]> =>
  (await app.app.ports.events.find(tenant, {}, { sort: 'createdAt', order: 'asc', limit: 100 })).items;

const filled = async (tenant: string, given: readonly Given[]): Promise<void> => {
  const token = await app.tenant(tenant);
  for (const name of ['h0', 'h1', 'h2'])
    await app.send('POST', '/v1/cmdb/ci', { name, type: 'server', attributes: { hostname: name } }, { token });
  const events = given.map(({ host, title, minutes }, i) => ({
    source: 'zabbix',
    sourceId: `s-${i}`,
    severity: 'major',
    title: TITLES[title],
    hostname: `h${host}`,
    timestamp: new Date(app.clock.now() - minutes * MINUTE).toISOString(),
  }));
  const { status } = await app.send('POST', '/api/events/bulk-ingest', { events }, { token });
  expect(status).toBe(200);
  await app.app.idle();
};

const take = async (tenant: string, events: readonly Event[]): Promise<void> => {
  const ids = events.map(({ id }) => id);
  const fresh = (await app.app.ports.events.getMany(tenant, ids)).filter((event) => !isAnalysed(event));
  await analyseEvents(app.app.ports, tenant, fresh, DEFAULT_AI_SETTINGS);
  await app.app.idle();
};

/** By the sender's ids, without ids of ours. */
const analysesOf = async (tenant: string): Promise<unknown> => {
  const events = await eventsOf(tenant);
  const names = new Map(events.map(({ id, sourceId }) => [id, sourceId]));
  const told = events
    .map(({ sourceId, aiAnalysis }) => [sourceId, aiAnalysis] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(told).replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, (id) => names.get(id) ?? 'CI');
  return JSON.parse(text.replaceAll(/COR-\d+-\w+/g, 'COR'));
};

let runs = 0;

test('analyses do not depend on how events are cut into batches, nor on what is told again', async () => {
  const given = fc.array(fc.record({ host: fc.nat(2), title: fc.nat(TITLES.length - 1), minutes: fc.nat(3_000) }), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(given, fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }), async (events, cuts) => {
      const [whole, cut] = [`whole-${++runs}`, `cut-${runs}`];
      for (const tenant of [whole, cut]) await filled(tenant, events);
      await take(whole, await eventsOf(whole));
      const all = await eventsOf(cut);
      let from = 0;
      for (const [i, size] of cuts.entries()) {
        const to = i === cuts.length - 1 ? all.length : Math.min(all.length, from + size);
        await take(cut, all.slice(Math.max(0, from - (i % 3)), to));
        from = to;
      }
      await take(cut, all);
      expect(await analysesOf(cut)).toEqual(await analysesOf(whole));
      expect((await eventsOf(whole)).every(({ aiAnalysis }) => aiAnalysis !== undefined)).toBe(true);
    }),
    { numRuns: 15 },
  );
});
