import { expect, test } from '@jest/globals';
import { type UndoableAct, undoOf } from './activity.ts';

const MINUTE = 60_000;
const act = (more: Partial<UndoableAct>): UndoableAct => ({
  at: 0,
  action: 'group.acknowledged',
  subjects: ['COR-1'],
  operation: null,
  status: null,
  ...more,
});
const standing = { status: undefined, lasts: false, later: [], now: MINUTE };
const moved = { action: 'event.resolved', subjects: ['EVT-1'], status: { from: 'open', to: 'resolved' } };

test.each([
  ['an operation', act({ operation: 'op' }), standing, { kind: 'operation', id: 'op' }],
  ['one of more than ten minutes ago', act({ operation: 'op' }), { ...standing, now: 11 * MINUTE }, null],
  ['one after which somebody acted on the same', act({ operation: 'op' }), { ...standing, later: [act({})] }, null],
  [
    'an event as it was left',
    act(moved),
    { ...standing, status: 'resolved' },
    { kind: 'status', id: 'EVT-1', status: 'open' },
  ],
  ['an event that moved since', act(moved), { ...standing, status: 'open' }, null],
  [
    'a silence',
    act({ action: 'silence.created', subjects: ['SIL-1'] }),
    { ...standing, lasts: true },
    { kind: 'silence', id: 'SIL-1' },
  ],
  ['a silence that is over', act({ action: 'silence.created', subjects: ['SIL-1'] }), standing, null],
  ['a note', act({ action: 'group.noted' }), standing, null],
])('%s is taken back by %#', (_, done, at, undo) => expect(undoOf(done, at)).toEqual(undo));
