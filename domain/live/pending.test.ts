import { describe, expect, test } from '@jest/globals';
import type { LiveChange } from './live-change.ts';
import { PendingChanges } from './pending.ts';

const change = (id: string | null, parts: Partial<LiveChange> = {}): LiveChange => ({
  of: 'event',
  id,
  count: 1,
  isNew: false,
  ...parts,
});

describe('What waits for a reader', () => {
  test('has each id once, and counts every change', () => {
    const pending = new PendingChanges();
    expect(pending.isEmpty).toBe(true);
    for (const one of [change('a', { isNew: true }), change('a'), change('b'), change('g', { of: 'group' })])
      pending.add(one);
    expect(Object.fromEntries(pending.take())).toEqual({
      event: { created: 1, changed: 2, ids: ['a', 'b'], more: 0 },
      group: { created: 0, changed: 1, ids: ['g'], more: 0 },
    });
    expect(pending.isEmpty).toBe(true);
    expect(pending.take().size).toBe(0);
  });

  test('names at most 200 ids of a kind and counts the others', () => {
    const pending = new PendingChanges();
    for (let n = 0; n < 250; n++) pending.add(change(`E${n}`));
    pending.add(change('E7'));
    pending.add(change('C1', { of: 'ci' }));
    pending.add(change(null, { of: 'ci', count: 9_800 }));
    const { event, ci } = Object.fromEntries(pending.take());
    expect(event).toMatchObject({ changed: 251, more: 50 });
    expect(event!.ids).toHaveLength(200);
    expect(ci).toEqual({ created: 0, changed: 9_801, ids: ['C1'], more: 9_800 });
  });

  test.each(['x', '"', 'ä', '\u0001', '𝄞'])('fits into 16 KiB also with long ids of %j', (character) => {
    const pending = new PendingChanges();
    for (const kind of ['event', 'group', 'ci', 'relationship', 'scan'] as const)
      for (let n = 0; n < 200; n++) pending.add(change(`${n}${character.repeat(100)}`, { of: kind }));
    const taken = [...pending.take()];
    const bytes = Buffer.byteLength(JSON.stringify(taken));
    expect(bytes).toBeLessThan(16 * 1_024);
    expect(taken.flatMap(([, { ids }]) => ids).length).toBeGreaterThan(10);
    for (const [, { ids, more }] of taken) expect(ids.length + more).toBe(200);
  });
});
