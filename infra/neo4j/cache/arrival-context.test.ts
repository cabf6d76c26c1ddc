import { expect, test } from '@jest/globals';
import type { Run } from '#infra/neo4j/client/client.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openArrivalContext } from './arrival-context.ts';

test('changes that come faster than the store answers hold up no answer', async () => {
  const asked = { tenants: 0 };
  const read = (async (statement: string) => {
    if (!statement.includes('(t:Tenant')) return [];
    asked.tenants += 1;
    context.invalidate('t');
    return [{ version: asked.tenants, cis: 1 }];
  }) as Run;
  const context = openArrivalContext(read, setClock(0));
  expect(await context.around('t', 'a', 0)).toBeNull();
  expect(asked.tenants).toBe(10);
});

test('who asks while it is looked what has changed waits for the answer as well', async () => {
  let joined = false;
  const read = (async (statement: string, { ids }: { ids?: readonly string[] }) => {
    if (statement.includes('(t:Tenant')) return [{ version: joined ? 2 : 1, cis: 2 }];
    if (ids === undefined) return [{ id: 'a' }, { id: 'b' }];
    const edges = (id: string, source: string) =>
      joined && id === source ? [[source === 'a' ? 'b' : 'a', 'depends_on', false, null, null]] : [];
    return ids.map((id) => ({ id, ended: null, up: edges(id, 'a'), down: edges(id, 'b') }));
  }) as unknown as Run;
  const context = openArrivalContext(read, setClock(0));
  const both = async () => {
    const found = await Promise.all(['a', 'b'].map((ci) => context.around('t', ci, 0)));
    return found.map((around) => around?.hasRelationships);
  };
  expect(await both()).toEqual([false, false]);
  joined = true;
  context.invalidate('t');
  expect(await both()).toEqual([true, true]);
});
