import { beforeAll, expect, test } from '@jest/globals';
import type { GroupRow } from '#console/api/groups.ts';
import type { DemoInfrastructure } from '#features/demo/rules/scene/infrastructure.ts';
import { tellStory } from '#features/demo/rules/story.ts';
import type { ServiceData } from '#features/services/console/api.ts';
import { groupsOf } from '#features/services/console/worst-first.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { START } from '#test/setup/test-app.ts';

/** Groups, Services and the wallboard say the same of each service in any minute of the day of the demo. */

const it = appOfTests();
const MINUTE = 60_000;
const MINUTES = 750;
/** The incidents begin after four hours. */
const PART = runs({ short: 400, long: MINUTES });
const EVERY = runs({ short: 30, long: 1 });
const { estate, payloads } = tellStory({ seed: 1, now: START + MINUTES * MINUTE });

const furnish = async ({ cis, links, services }: DemoInfrastructure): Promise<void> => {
  const make = (path: string, body: object) => it.send('POST', path, body);
  const idOf = new Map<string, string>();
  for (const { name, type, attributes } of cis)
    idOf.set(name, (await make('/v1/cmdb/ci', { name, type, attributes })).body.id);
  for (const { type, source, target, recorded } of links)
    if (recorded)
      await make('/v1/cmdb/relationships', { type, source_ci: idOf.get(source), target_ci: idOf.get(target) });
  for (const { name, components } of services)
    await make('/v1/services', { name, components: components.map(({ ci, role }) => ({ ci_id: idOf.get(ci), role })) });
};

const list = async (query: string) => (await it.send('GET', `/api/events/groups?include=single&${query}`)).body;
/** All rows of a tab of the page of groups. */
async function rowsOf(status: string): Promise<readonly GroupRow[]> {
  const rows: GroupRow[] = [];
  let cursor = '';
  do {
    const page = await list(`status=${status}&limit=100${cursor && `&cursor=${cursor}`}`);
    rows.push(...page.groups);
    cursor = page.pagination.nextCursor ?? '';
  } while (cursor !== '');
  return rows;
}

/** What the pages say of services that does not fit together. */
async function contradictions(): Promise<readonly string[]> {
  const onGroups = [...(await rowsOf('active')), ...(await rowsOf('acknowledged'))];
  const { groups: onServices } = await list('status=active,acknowledged&view=row&limit=100');
  const { data } = (await it.send('GET', '/api/services?limit=100')).body;
  return (data as ServiceData[]).flatMap(({ name, health: { status, score } }) => {
    const rows = groupsOf(name, onGroups);
    const counted = groupsOf<GroupRow>(name, onServices).length;
    return [
      ...(rows.length === counted ? [] : [`${name}: ${rows.length} problems on Groups, ${counted} on Services`]),
      ...(status !== 'healthy' && rows.length === 0 ? [`${name}: ${status}, and no problem affects it`] : []),
      ...(score === 100 && rows.length > 0 ? [`${name}: ${score}, and affected by ${rows[0]?.title}`] : []),
    ];
  });
}

beforeAll(() => furnish(estate), 60_000);

test(
  'no service has two states',
  async () => {
    const said: string[] = [];
    let next = 0;
    for (let minute = 1; minute <= PART; minute++) {
      it.clock.advance(MINUTE);
      for (let payload = payloads[next]; payload && payload.at <= it.clock.now(); payload = payloads[++next])
        await it.send('POST', `/api/events/webhook/${payload.source}`, payload.body);
      if (minute % EVERY !== 0) continue;
      await it.app.idle();
      said.push(...(await contradictions()).map((one) => `minute ${minute}, ${one}`));
    }
    expect(next).toBeGreaterThan(500);
    expect(said).toEqual([]);
  },
  longest(120_000),
);
