import { expect, test } from '@jest/globals';
import { tellStory } from '#features/demo/rules/story.ts';
import { groupsOf } from '#features/services/console/worst-first.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { START } from '#test/setup/test-app.ts';

/** Groups, Services and the wallboard tell the same of each service at any minute of the day of the demo. */

const it = appOfTests({}, { at: START });
const MINUTE = 60_000;
const EVERY = runs({ short: 24, long: 1 });

test(
  'no service has two states',
  async () => {
    const { estate, payloads } = tellStory({ seed: 1, now: START + 12.5 * 60 * MINUTE });
    const idOf = new Map<string, string>();
    for (const { name, type, attributes } of estate.cis)
      idOf.set(name, (await it.send('POST', '/v1/cmdb/ci', { name, type, attributes })).body.id);
    for (const { type, source, target, recorded, criticality } of estate.links)
      if (recorded)
        await it.send('POST', '/v1/cmdb/relationships', {
          type,
          source_ci: idOf.get(source),
          target_ci: idOf.get(target),
          attributes: { criticality },
        });
    for (const { name, components } of estate.services)
      await it.send('POST', '/v1/services', {
        name,
        criticality: 'critical',
        components: components.map(({ ci, role }) => ({ ci_id: idOf.get(ci), role })),
      });
    const stats = { minutes: 0, checks: 0, ill: 0, affected: 0, most: 0 };
    const said: string[] = [];
    const get = async (path: string) => (await it.send('GET', path)).body;
    let next = 0;
    for (let minute = 0; minute < 12.5 * 60; minute++) {
      it.clock.advance(MINUTE);
      for (; next < payloads.length && payloads[next]!.at <= it.clock.now(); next++)
        await it.send('POST', `/api/events/webhook/${payloads[next]!.source}`, payloads[next]!.body);
      if (minute % EVERY !== 0) continue;
      await it.app.idle();
      stats.minutes++;
      const list = (query: string) => get(`/api/events/groups?include=single&${query}`);
      const onGroups = [];
      for (const status of ['active', 'acknowledged']) {
        let cursor = '';
        do {
          const page = await list(`status=${status}&limit=100${cursor && `&cursor=${cursor}`}`);
          onGroups.push(...page.groups);
          cursor = page.pagination.nextCursor ?? '';
        } while (cursor !== '');
      }
      const open = await list('status=active,acknowledged&view=row&limit=100');
      stats.most = Math.max(stats.most, onGroups.length);
      const { data: services } = await get('/api/services?limit=100');
      for (const { id, name, health } of services) {
        stats.checks++;
        const rows = groupsOf(name, onGroups as typeof open.groups);
        const counted = groupsOf(name, open.groups).length;
        if (health.status !== 'healthy') stats.ill++;
        if (rows.length > 0) stats.affected++;
        const worst = rows.map(({ severity }: any) => severity);
        if (rows.length !== counted) said.push(`${minute} ${name}: ${rows.length} on Groups, ${counted} on Services`);
        if (health.status !== 'healthy' && rows.length === 0)
          said.push(`${minute} ${name}: ${health.status} ${health.score} by nothing`);
        if (health.score === 100 && rows.length > 0) said.push(`${minute} ${name}: affected, 100, ${worst}`);
      }
    }
    console.log(JSON.stringify(stats), said.length, said.slice(0, 60).join('\n'));
    expect(said).toEqual([]);
  },
  longest(300_000),
);
