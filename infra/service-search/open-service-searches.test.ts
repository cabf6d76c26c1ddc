import { expect, test } from '@jest/globals';
import { serviceSearchesContract } from '#test/contract/service-searches.ts';
import { DEGREES, makeEstate } from '../../bench/estates.ts';
import { openServiceSearches } from './open-service-searches.ts';

serviceSearchesContract('A search in a thread', openServiceSearches);

test('a step that takes too long is given up', async () => {
  const search = openServiceSearches(1).open();
  const { estate } = makeEstate(2, DEGREES[0]!, 1);
  search.add(estate);
  await expect(search.run('hubs', null)).rejects.toThrow('The step hubs took longer than 1 ms');
  await expect(search.run('hubs', null)).rejects.toThrow('took longer');
  await search.close();
});
