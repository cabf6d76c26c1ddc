import { expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { inheritedStatus, liftSuppression, silenced } from './suppression.ts';

const stamp = { position: 900, receivedAt: 5_000_000_000_000 };
const [NOW, BY] = [stamp.receivedAt, { by: 'SIL-1', until: stamp.receivedAt + 60 }];
const condition = (id: string) => ({ id, position: 1 });
const event = (parts: Partial<Event>): Event =>
  sampleEvent(1, { status: 'open', severity: 'major', conditions: [], ...parts });
const said = (parts: Partial<Occurrence>) => ({ severity: 'major', ...parts }) as Occurrence;
const after = (before: Partial<Event>, occurrence: Partial<Occurrence>) => {
  const one = event(before);
  const { status, silencing } = silenced(one, one, said(occurrence), stamp);
  return [status, silencing];
};

test.each<[string, Partial<Event>, Partial<Occurrence>, Event['status'], Event['silencing']]>([
  ['an open event is suppressed', {}, { silencing: BY }, 'suppressed', BY],
  ['an acknowledged one stays', { status: 'acknowledged' }, { silencing: BY }, 'acknowledged', undefined],
  ['one that a person suppressed stays', { status: 'suppressed' }, { silencing: BY }, 'suppressed', undefined],
  ['one of several conditions', { conditions: [condition('a'), condition('b')] }, { silencing: BY }, 'open', undefined],
  ['one that a person opened stays open', { silencing: BY }, { silencing: BY }, 'open', BY],
  ['after the end it is suppressed anew', { silencing: { ...BY, over: true } }, { silencing: BY }, 'suppressed', BY],
  ['by another silence it is', { silencing: { by: 'SIL-0' } }, { silencing: BY }, 'suppressed', BY],
  [
    'a later end counts',
    { status: 'suppressed', silencing: { by: 'SIL-1', until: 1 } },
    { silencing: BY },
    'suppressed',
    BY,
  ],
  ['nothing said within it', { status: 'suppressed', silencing: BY }, {}, 'suppressed', BY],
  ['something worse', { status: 'suppressed', silencing: BY }, { severity: 'critical' }, 'open', { ...BY, over: true }],
  [
    'its end',
    { status: 'suppressed', silencing: { by: 'SIL-1', until: NOW } },
    {},
    'open',
    { by: 'SIL-1', until: NOW, over: true },
  ],
  [
    'without an end',
    { status: 'suppressed', silencing: { by: 'maintenance:c' } },
    {},
    'suppressed',
    { by: 'maintenance:c' },
  ],
])('%s', (_, before, occurrence, status, silencing) => {
  expect(after(before, occurrence)).toEqual([status, silencing]);
});

test('the end of a silence opens what it suppresses, and nothing else', () => {
  const held = event({ status: 'suppressed', silencing: BY });
  expect(liftSuppression(held, 'SIL-1', undefined, stamp)).toMatchObject({
    outcome: 'reopened',
    event: { status: 'open' },
  });
  expect(liftSuppression(held, 'SIL-2', undefined, stamp)).toEqual({ outcome: 'ignored', event: held });
  const next = { by: 'SIL-2', until: NOW + 9 };
  expect(liftSuppression(held, 'SIL-1', next, stamp)).toMatchObject({
    event: { status: 'suppressed', silencing: next },
  });
  for (const status of ['acknowledged', 'resolved', 'open'] as const)
    expect(liftSuppression(event({ status, silencing: BY }), 'SIL-1', undefined, stamp).outcome).toBe('ignored');
});

test('an event that takes the place of another is judged anew by silences, and keeps what people did', () => {
  const silent = { status: 'suppressed', silencing: BY } as const;
  const taken = (from: Partial<Event>, to: Partial<Event>) => inheritedStatus(event(from), event(to));
  expect(taken(silent, {})).toEqual({ status: 'open' });
  expect(taken({}, silent)).toEqual(silent);
  expect(taken(silent, silent)).toEqual(silent);
  expect(taken({ status: 'acknowledged' }, silent)).toEqual({ status: 'acknowledged' });
  expect(taken({ status: 'suppressed' }, {})).toEqual({ status: 'suppressed' });
  expect(taken({ silencing: BY }, silent)).toEqual({ status: 'open', silencing: BY });
});
