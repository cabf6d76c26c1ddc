import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceSearch, ServiceSearches } from '#domain/ports/services/service-searches.ts';
import {
  type EstatePart,
  estateSearch,
  type StepAnswer,
  type StepInput,
  type StepName,
} from '#domain/services/communities/estate-steps.ts';
import { DEGREES, makeEstate } from '../../bench/estates.ts';

interface Search {
  readonly add: (part: EstatePart) => void;
  readonly run: <N extends StepName>(name: N, input: StepInput<N>) => Promise<StepAnswer<N>>;
}

/** Steps in this thread. */
function here(): Search {
  const { add, steps } = estateSearch();
  const run: Search['run'] = async (name, input) =>
    (steps[name] as (given: typeof input) => StepAnswer<typeof name>)(input);
  return { add, run };
}

const { estate } = makeEstate(30, DEGREES[1]!, 7);

/** Everything a search says of the estate, handed over in two parts. */
async function searched({ add, run }: Search, atOnce: number) {
  const half = Math.floor(estate.links.length / 2);
  add({ cis: estate.cis, links: estate.links.slice(0, half) });
  add({ links: estate.links.slice(half), processes: [[0, [{ name: 'postgres', port: 5_432 }]]] });
  const hubs = await run('hubs', null);
  const split = await run('split', hubs);
  await run('bind', split.serviceOf);
  const slices = Array.from({ length: Math.ceil(split.services / atOnce) }, (_, n) => ({
    from: n * atOnce,
    to: Math.min(split.services, (n + 1) * atOnce),
  }));
  for (const slice of slices) await run('classify', slice);
  const names = [];
  for (const slice of slices) names.push(...(await run('name', slice)));
  const scores = [];
  for (const slice of slices) scores.push(...(await run('score', slice)));
  const services = [];
  for (const slice of slices) services.push(...(await run('list', slice)));
  return { hubs, split, names, scores, services };
}

export function serviceSearchesContract(name: string, open: () => ServiceSearches) {
  describe(`${name} keeps the ServiceSearches contract`, () => {
    let search: ServiceSearch;
    const add: Search['add'] = (part) => search.add(part);
    const run: Search['run'] = (step, input) => search.run(step, input);
    beforeEach(() => {
      search = open().open();
    });
    afterEach(() => search.close());

    test('a search finds what its steps find, in slices of any size', async () => {
      const expected = await searched(here(), 1_000);
      expect(expected.services.length).toBeGreaterThan(20);
      expect(await searched({ add, run }, 7)).toEqual(expected);
    });

    test('two searches know nothing of one another', async () => {
      const other = open().open();
      add({ cis: estate.cis, links: estate.links });
      expect(await other.run('hubs', null)).toEqual([]);
      await other.close();
      expect((await run('hubs', null)).length).toBeGreaterThan(0);
    });

    test('a step that fails says so', async () => {
      add({ cis: estate.cis, links: estate.links });
      await run('bind', new Int32Array(estate.cis.length));
      await expect(run('name', { from: 0, to: 1 })).rejects.toThrow('The search for services has failed');
    });

    test('what is being done ends when it is closed, and nothing begins after it', async () => {
      add({ cis: estate.cis, links: estate.links });
      const lost = expect(run('split', [])).rejects.toThrow('The search was closed');
      await search.close();
      await lost;
      await expect(run('hubs', null)).rejects.toThrow('The search was closed');
    });

    test('one step at a time', async () => {
      const first = run('hubs', null);
      await expect(run('hubs', null)).rejects.toThrow('one step at a time');
      expect(await first).toEqual([]);
    });
  });
}
