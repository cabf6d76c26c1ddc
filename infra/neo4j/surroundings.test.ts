import { expect, test } from '@jest/globals';
import { setClock } from '#test/setup/set-clock.ts';
import type { Run } from './client.ts';
import { openSurroundings } from './surroundings.ts';

test('changes that come faster than the store answers hold up no answer', async () => {
  const asked = { tenants: 0 };
  const read = (async (statement: string) => {
    if (!statement.includes('(t:Tenant')) return [];
    asked.tenants += 1;
    surroundings.invalidate('t');
    return [{ version: asked.tenants, cis: 1 }];
  }) as Run;
  const surroundings = openSurroundings(read, setClock(0));
  expect(await surroundings.around('t', 'a', 0)).toBeNull();
  expect(asked.tenants).toBe(10);
});
