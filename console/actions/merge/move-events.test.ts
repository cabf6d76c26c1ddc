import { expect, test } from '@jest/globals';
import type { Call } from '#console/api/link/call.ts';
import { moveEvents } from './move-events.ts';

type Sent = { readonly params?: { readonly correlationId: string }; readonly body?: Record<string, unknown> };

/** Groups `A` (a, b, c) and `B` (d, e), and the group of `t`; writes are listed as short texts. */
const server = (fails: (written: string) => boolean = () => false) => {
  const members: Readonly<Record<string, readonly string[]>> = { A: ['a', 'b', 'c'], B: ['d', 'e'] };
  const written: string[] = [];
  const call = (async (endpoint: string, { params, body }: Sent = {}) => {
    const id = params?.correlationId ?? '';
    if (endpoint.startsWith('GET')) return { members: (members[id] ?? []).map((eventId) => ({ eventId })) };
    const said = endpoint.endsWith('/split')
      ? `split ${id}: ${body?.eventIds}`
      : `link ${body?.primaryEventId}: ${body?.relatedEventIds}`;
    if (fails(said)) throw new Error('unavailable');
    written.push(said);
    return { correlationId: 'T' };
  }) as unknown as Call;
  return { call, written };
};

const at = (correlationId: string | null, ...ids: readonly string[]) =>
  ids.map((eventId) => ({ eventId, correlationId }));

test('members leave their group for another, and an undo returns them to the event that stayed', async () => {
  const { call, written } = server();
  const undo = await moveEvents(call, at('A', 'a', 'c'), 't', 'same rack');
  expect(written.splice(0)).toEqual(['split A: a,c', 'link t: a,c']);
  await undo();
  expect(written).toEqual(['split T: a,c', 'link b: a,c']);
});

test('ungrouped events and a whole group are linked only; after an undo each ungrouped one is alone', async () => {
  const { call, written } = server();
  const undo = await moveEvents(call, [...at(null, 'x', 'y'), ...at('B', 'd', 'e')], 't', '');
  expect(written.splice(0)).toEqual(['link t: x,y,d,e']);
  await undo();
  expect(written).toEqual(['split T: x', 'split T: y', 'split T: d,e']);
});

test('a failed link returns members to their group', async () => {
  const { call, written } = server((said) => said.startsWith('link t'));
  await expect(moveEvents(call, at('A', 'a'), 't', '')).rejects.toThrow('unavailable');
  expect(written).toEqual(['split A: a', 'link b: a']);
});
