import { describe, expect, test } from '@jest/globals';
import type { CorrelationInput, Enriched, StatusTransition } from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import type { Event, HistoryEntry, Status } from '#domain/event/event.ts';
import type { Saved, SavedEvent } from '#domain/event/incoming.ts';
import { driveDedup, MINUTE, T0, TENANT } from '#test/setup/asks.ts';
import { driveFold } from '#test/setup/drive-fold.ts';
import { enrich } from './enrich.ts';

/** Time after all event times of this file. */
const LATER = T0 + 30 * 24 * 60 * MINUTE;

/** Minutes after T0 at which it began and was last there. */
interface Times {
  readonly began?: number;
  readonly last?: number;
}
const eventOf = (id: string, { began = 0, last = began }: Times = {}, changes: Partial<Event> = {}): Event => ({
  ...(driveDedup().occur().saved[0]?.event as Event),
  id,
  timestamp: T0 + began * MINUTE,
  lastOccurrence: T0 + last * MINUTE,
  ...changes,
});
const saved = (position: number, event: Event, more: Partial<SavedEvent> = {}) => ({
  tenant: TENANT,
  position,
  value: { happened: 'created', event, receivedAt: LATER, ...more } satisfies Saved,
});
const HOUR = 60;
const facts = (emitted: readonly { topic: string; entry: { value: unknown } }[]) =>
  emitted.filter(({ topic }) => topic === 'correlation.hits').map(({ entry }) => entry.value as CorrelationInput);
const arrivals = (records: readonly Enriched[]) => records.map(({ arrival }) => arrival);

test('its CI may have got relationships that no cache knows of', () => {
  const { state } = driveFold(enrich);
  const fresh = (happened: SavedEvent['happened']) =>
    enrich.reads(state, [saved(1, eventOf('e1'), { happened })]).freshTopology;
  expect([fresh('bound'), fresh('created')]).toEqual([[TENANT], []]);
});

describe('an event arrives again', () => {
  test('when its severity changes within the largest window: at its time, and not counted', () => {
    const driven = driveFold(enrich);
    driven.batch([saved(1, eventOf('e1', {}, { severity: 'warning' }))]);
    const counted = driven.state.tenants.get(TENANT)!.rates.upTo[2].slice();
    const worse = eventOf('e1', { last: HOUR }, { severity: 'critical' });
    const { enriched, emitted } = driven.batch([saved(2, worse, { happened: 'changed', again: 'escalated' })]);
    const expected = { eventId: 'e1', position: 2, time: T0, severity: 'critical', rebound: true, again: 'escalated' };
    expect(arrivals(enriched)).toMatchObject([expected]);
    expect(emitted.map(({ topic }) => topic)).toEqual(['correlation.hits', 'events.enriched']);
    expect(driven.state.tenants.get(TENANT)!.rates.upTo[2]).toEqual(counted);
  });

  test('not when it changes later: no window reaches it', () => {
    const driven = driveFold(enrich);
    driven.batch([saved(1, eventOf('e1'))]);
    const late = eventOf('e1', { last: HOUR + 1 });
    expect(driven.batch([saved(2, late, { happened: 'changed', again: 'escalated' })])).toMatchObject({
      enriched: [],
      emitted: [],
    });
  });

  test('after a silence at its new time, from which a later change counts', () => {
    const driven = driveFold(enrich);
    driven.batch([saved(1, eventOf('e1'))]);
    const back = saved(2, eventOf('e1', { last: 3 * HOUR }), { happened: 'changed', again: 'returned' });
    const worse = saved(3, eventOf('e1', { last: 4 * HOUR }), { happened: 'changed', again: 'escalated' });
    const { enriched } = driven.batch([back, worse]);
    expect(enriched.map(({ arrival: { time, again, rebound }, late }) => [time - T0, again, rebound, late])).toEqual([
      [3 * HOUR * MINUTE, 'returned', true, false],
      [3 * HOUR * MINUTE, 'escalated', true, false],
    ]);
  });

  test.each([
    ['within the largest window of it: at its own time', HOUR - 1, 0],
    ['later: when it was opened', 5 * HOUR, 5 * HOUR],
  ])('when it is open again %s, however small the lateness is', (_, opened, time) => {
    const driven = driveFold(enrich, { settings: { ...DEFAULT_SETTINGS, latenessMs: 0 } });
    const entry = (from: Status | null, to: Status, minute: number): HistoryEntry => ({
      at: T0 + minute * MINUTE,
      by: null,
      from,
      to,
      position: minute,
    });
    const held = eventOf('e1', {}, { status: 'suppressed', history: [entry(null, 'suppressed', 0)] });
    driven.batch([saved(1, held), saved(2, eventOf('e2', { began: opened }))]);
    const history = [entry(null, 'suppressed', 0), entry('suppressed', 'open', opened)];
    const again = { happened: 'changed', again: 'opened', previousStatus: 'suppressed' } as const;
    const { enriched } = driven.batch([saved(3, eventOf('e1', {}, { status: 'open', history }), again)]);
    expect(enriched).toMatchObject([
      { late: false, arrival: { time: T0 + time * MINUTE, again: 'opened', rebound: true, suppressed: false } },
    ]);
  });

  test('in the place of another one: at the time of that one, unless that was longer ago than the largest window', () => {
    const driven = driveFold(enrich);
    driven.batch([saved(1, eventOf('old'))]);
    const [soon, late] = [HOUR, HOUR + 1].map((began, i) =>
      saved(2 + i, eventOf(`new${i}`, { began }, { supersedes: 'old' }), { again: 'supersedes' }),
    );
    const { enriched } = driven.batch([soon!, late!]);
    const expected = { supersedes: 'old', again: 'supersedes', rebound: true };
    expect(arrivals(enriched)).toMatchObject([
      { ...expected, eventId: 'new0', time: T0 },
      { ...expected, eventId: 'new1', time: T0 + (HOUR + 1) * MINUTE },
    ]);
  });

  test('no more for windows when another one has taken its place', () => {
    const driven = driveFold(enrich);
    driven.batch([saved(1, eventOf('old'))]);
    const taken = eventOf('old', {}, { supersededBy: 'new', status: 'resolved' });
    const { emitted, enriched } = driven.batch([saved(2, taken, { happened: 'bound' })]);
    expect([enriched[0]?.late, emitted.map(({ topic }) => topic)]).toEqual([true, ['correlation.hits']]);
    expect(facts(emitted)).toMatchObject([{ kind: 'facts', late: true }]);
  });

  test('is found again as it was before, whatever was stored later', () => {
    const driven = driveFold(enrich);
    driven.batch([saved(1, eventOf('e1'))]);
    const back = saved(5, eventOf('e1', { last: 3 * HOUR }), { happened: 'changed', again: 'returned' });
    driven.batch([back]);
    const ask = saved(3, eventOf('e1'), { happened: 'related', links: [], manual: true });
    const [known] = facts(driven.batch([ask]).emitted);
    expect(known).toMatchObject({ kind: 'facts', arrival: { time: T0, position: 3, rebound: false } });
  });
});

const lived = (id: string, from: Status, to: Status, position: number, changes: Partial<Event> = {}) => {
  const entry: HistoryEntry = { at: T0 + position, by: null, from, to, position };
  const event = eventOf(id, {}, { status: to, history: [...eventOf(id).history, entry], ...changes });
  return saved(position, event, { happened: 'changed', previousStatus: from });
};

describe('the life of an event', () => {
  test.each<[Status, Status, StatusTransition['kind'] | null]>([
    ['open', 'resolved', 'ended'],
    ['acknowledged', 'suppressed', 'ended'],
    ['suppressed', 'open', 'returned'],
    ['resolved', 'acknowledged', 'returned'],
    ['open', 'acknowledged', null],
    ['suppressed', 'resolved', null],
  ])('from %s to %s: %p, to merge and to windows', (from, to, kind) => {
    const { emitted, enriched } = driveFold(enrich).batch([lived('e1', from, to, 7)]);
    const turn = { kind, eventId: 'e1', at: T0 + 7 };
    expect(enriched).toEqual([]);
    expect(emitted.map(({ topic, entry }) => [topic, entry.position])).toEqual(
      kind === null
        ? []
        : [
            ['correlation.hits', 7],
            ['events.enriched', 7],
          ],
    );
    if (kind === null) return;
    expect(emitted[0]!.entry.value).toEqual(turn);
    expect((emitted[1]!.entry.value as Enriched).turn).toEqual(turn);
  });

  test('one that arrives again although it is over tells its end once more, after its arrival, to windows alone', () => {
    const driven = driveFold(enrich);
    driven.batch([saved(1, eventOf('e1'))]);
    const { event } = lived('e1', 'open', 'suppressed', 7, { lastOccurrence: T0 + MINUTE }).value;
    const { emitted } = driven.batch([saved(9, event, { happened: 'changed', again: 'returned' })]);
    const turn = { kind: 'ended', eventId: 'e1', at: T0 + 7 };
    expect(emitted.map(({ topic, entry }) => [topic, entry.position, (entry.value as Enriched).turn])).toEqual([
      ['correlation.hits', 9, undefined],
      ['events.enriched', 9, undefined],
      ['events.enriched', 9, turn],
    ]);
  });

  test('a change is a moment: it is in windows although it is resolved, and has no end', () => {
    const driven = driveFold(enrich);
    const change = { category: 'deployment', status: 'resolved' } as const;
    const { enriched, emitted } = driven.batch([saved(1, eventOf('e1', {}, change))]);
    expect(enriched.map(({ late }) => late)).toEqual([false]);
    expect(emitted).toHaveLength(2);
    expect(driven.batch([lived('e1', 'open', 'resolved', 2, change)]).emitted).toEqual([]);
  });
});

test('facts say that they are late, so that merge waits for no strategy', () => {
  const driven = driveFold(enrich);
  const lateness = DEFAULT_SETTINGS.latenessMs / MINUTE;
  driven.batch([saved(1, eventOf('old')), saved(2, eventOf('now', { began: lateness + 1 }))]);
  const { emitted } = driven.batch([saved(3, eventOf('old'), { happened: 'bound' })]);
  expect(facts(emitted)).toMatchObject([{ kind: 'facts', late: true, arrival: { eventId: 'old' } }]);
});
