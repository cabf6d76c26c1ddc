import { describe, expect, test } from '@jest/globals';
import type { CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import { NOWHERE } from '#domain/correlation/window/enrichment.ts';
import type { SavedHabits } from '#domain/correlation/window/habits.ts';
import { BIN_MS, dayCount } from '#domain/correlation/window/rates.ts';
import type { Event } from '#domain/event/event.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import { driveDedup, MINUTE, T0, TENANT } from '#test/setup/asks.ts';
import { type Around, driveFold } from '#test/setup/drive-fold.ts';
import { restorableOf } from '#test/setup/drive-join.ts';
import { enrich } from './enrich.ts';

/** Time after all event times of this file. */
const LATER = T0 + 30 * 24 * 60 * MINUTE;

const ci = { id: 'ci-1', name: 'db-01', type: 'server' };
const around: ArrivalTopology = {
  ...NOWHERE,
  near: [{ ci: 'ci-2', hops: 1, via: 'ci-1', criticalHops: 1 }],
  degree: 1,
  all: 7,
  hasRelationships: true,
  above3: 1,
  chain: [{ ci: 'ci-2', hops: 1, via: 'ci-1' }],
  upstream: [{ ci: 'ci-2', hops: 1, via: 'ci-1' }],
};

/** An event as dedup makes it, changed. */
const eventOf = (id: string, changes: Partial<Event> = {}): Event => ({
  ...(driveDedup().occur().saved[0]?.event as Event),
  id,
  ...changes,
});
const saved = (position: number, event: Event, more: Partial<Saved> = {}) => ({
  tenant: TENANT,
  position,
  value: { happened: 'created' as const, event, receivedAt: LATER, ...more },
});
const drive = (given: Around = {}) => driveFold(enrich, { around: () => around, ...given });
const topicsOf = (emitted: readonly { topic: string }[]) => emitted.map(({ topic }) => topic);
const at = (id: string, minutes: number) => eventOf(id, { timestamp: T0 + minutes * MINUTE });

describe('what a CI always says', () => {
  const DAY = 24 * 60;
  const habitOf = ({ enriched }: { readonly enriched: readonly Enriched[] }) => enriched[0]!.arrival.habit;
  const said = (n: number, minutes: number) => saved(n, { ...at(`e${n}`, minutes), ci });

  test('is known of each arrival, and kept when it arrives again', () => {
    const fold = drive();
    expect(habitOf(fold.batch([said(1, 0)]))).toBe(0);
    const second = said(2, DAY);
    expect(habitOf(fold.batch([second]))).toBeCloseTo(Math.exp(-1 / 7), 3);
    const again = saved(3, { ...second.value.event, lastOccurrence: T0 + (DAY + 9) * MINUTE }, { again: 'escalated' });
    fold.batch([said(4, DAY + 31)]);
    expect(habitOf(fold.batch([{ ...again, position: 5 }]))).toBeCloseTo(Math.exp(-1 / 7), 3);
  });

  test('is known after a start, however long ago it was said', async () => {
    const fold = drive();
    const stored = [0, 1, 2, 10].map((day, n) => fold.batch([said(n + 1, day * DAY)]));
    const habits = stored.flatMap(({ records }) =>
      records.map(({ tenant, body }) => ({ tenant, saved: body as SavedHabits })),
    );
    const again = drive();
    const arrivals = stored.flatMap(({ enriched }) => enriched.map(({ arrival }) => ({ arrival, late: false })));
    await enrich.restore(again.state, restorableOf(arrivals.slice(-1), LATER, habits), T0);
    const later = said(9, 11 * DAY);
    expect(habitOf(again.batch([later]))).toBe(habitOf(fold.batch([later])));
  });
});

describe('enrich', () => {
  test('saves the record of a new event, then emits its facts, then the record', () => {
    const event = eventOf('e1', { ci, service: ' Shop ', application: 'shop', hostname: 'DB-01:9100', usual: true });
    const { enriched, emitted } = drive().batch([saved(3, event)]);
    const record = enriched[0] as Enriched;
    expect(record).toMatchObject({
      arrival: {
        tenant: TENANT,
        position: 3,
        eventId: 'e1',
        time: T0,
        ciId: 'ci-1',
        system: 'db-01',
        services: ['shop'],
        above3: 1,
        hasRelationships: true,
        usual: true,
        suppressed: false,
        rebound: false,
        complaint: { kind: 'down', known: 'disk_full' },
      },
      all: 7,
      degree: 1,
      near: around.near,
      upstream: around.upstream,
      late: false,
      rates: { quiet: true },
    });
    expect(record.settings.strategies.temporal?.windowMs).toBe(30 * MINUTE);
    expect(topicsOf(emitted)).toEqual(['correlation.hits', 'events.enriched']);
    expect(emitted.map(({ entry }) => [entry.position, entry.tenant])).toEqual([
      [3, TENANT],
      [3, TENANT],
    ]);
    expect(emitted[0]?.entry.value).toEqual({
      kind: 'facts',
      arrival: record.arrival,
      upstream: record.upstream,
      settings: record.settings,
      quiet: true,
    });
    expect(emitted[1]?.entry.value).toBe(record);
  });

  test.each([
    ['Deployment finished', 'change'],
    ['Deployment failed', null],
  ])('%s is for correlation, whatever its severity: %s', (title, known) => {
    const { enriched } = drive().batch([saved(1, eventOf('e1', { ci, title, severity: 'major' }))]);
    expect(enriched[0]?.arrival.complaint.known).toBe(known);
  });

  test('an event without a CI, or with one that is unknown, is nowhere', () => {
    const { enriched } = drive({ around: () => undefined }).batch([
      saved(1, eventOf('e1')),
      saved(2, eventOf('e2', { ci })),
    ]);
    expect(enriched.map(({ near, all, arrival }) => [near, all, arrival.ciId])).toEqual([
      [[], 0, null],
      [[], 0, 'ci-1'],
    ]);
  });

  test('records of one tenant share one settings object', () => {
    const { enriched } = drive().batch([saved(1, at('e1', 0)), saved(2, at('e2', 0))]);
    expect(enriched[0]?.settings).toBe(enriched[1]?.settings);
  });

  test('what changes nothing about arrivals is passed over', () => {
    const event = eventOf('e1');
    const { emitted, enriched } = drive().batch(
      (['repeated', 'changed', 'assigned'] as const).map((happened, i) => saved(i, event, { happened })),
    );
    expect([emitted, enriched]).toEqual([[], []]);
  });

  test('late is strictly more than the lateness behind the watermark: saved, not correlated', () => {
    const lateness = DEFAULT_SETTINGS.latenessMs / MINUTE;
    const { emitted, enriched } = drive().batch([
      saved(1, at('now', 0)),
      saved(2, at('just', -lateness)),
      saved(3, at('late', -lateness - 0.001)),
    ]);
    expect(enriched.map(({ arrival, late }) => [arrival.eventId, late])).toEqual([
      ['now', false],
      ['just', false],
      ['late', true],
    ]);
    expect(emitted.map(({ entry }) => entry.position)).toEqual([1, 1, 2, 2]);
  });

  test('an event that was over before it came takes no part; a suppressed one does', () => {
    const { emitted, enriched } = drive().batch([
      saved(1, eventOf('over', { status: 'resolved' })),
      saved(2, eventOf('calm', { status: 'suppressed' })),
    ]);
    // Marked as late, so that a start does not add it to the windows.
    expect(enriched.map(({ late }) => late)).toEqual([true, false]);
    expect(emitted.map(({ entry }) => entry.position)).toEqual([2, 2]);
    expect(enriched[1]?.arrival.suppressed).toBe(true);
  });

  test('a binding is a second arrival, and no second event', () => {
    const driven = drive();
    driven.batch([saved(1, eventOf('e1'))]);
    const { enriched, emitted } = driven.batch([saved(2, eventOf('e1', { ci }), { happened: 'bound' })]);
    expect(enriched[0]?.arrival).toMatchObject({ eventId: 'e1', position: 2, rebound: true, ciId: 'ci-1' });
    expect(topicsOf(emitted)).toEqual(['correlation.hits', 'events.enriched']);
    expect(driven.state.tenants.get(TENANT)?.rates.signature.slots.size).toBe(1);
    expect(dayCount(driven.state.tenants.get(TENANT)!.rates, T0)).toBe(1);
  });

  test('a second arrival that is late tells merge alone', () => {
    const driven = drive();
    driven.batch([saved(1, eventOf('e1')), saved(2, at('now', DEFAULT_SETTINGS.latenessMs / MINUTE + 1))]);
    const { enriched, emitted } = driven.batch([saved(3, eventOf('e1', { ci }), { happened: 'bound' })]);
    expect(enriched.map(({ late }) => late)).toEqual([true]);
    expect(topicsOf(emitted)).toEqual(['correlation.hits']);
  });

  test.each([true, false])('links found later are facts alone, from the stored record (stored: %p)', (stored) => {
    const driven = drive();
    const event = eventOf('e1', { ci });
    if (stored) driven.batch([saved(1, event)]);
    const links = [{ other: 'e0', score: 1, literalScore: 1, reasons: [] }];
    const { emitted, enriched } = driven.batch([saved(9, event, { happened: 'related', links, manual: true })]);
    expect(enriched).toEqual([]);
    expect(emitted.length).toBe(1);
    expect(emitted[0]?.topic).toBe('correlation.hits');
    expect(emitted[0]?.entry.value as CorrelationInput).toMatchObject({
      kind: 'facts',
      links,
      manual: true,
      upstream: around.upstream,
      arrival: { eventId: 'e1', position: 9 },
    });
  });

  test('rates come from the bins before, and are the same after a restart', async () => {
    const history = Array.from({ length: 24 }, (_, i) => saved(i + 1, at(`e${i}`, (i - 25) * 10)));
    const live = drive();
    live.batch(history);
    const next = saved(99, at('next', 0));
    const [record] = live.batch([next]).enriched;
    expect(record?.rates.quiet).toBe(false);
    expect(record?.rates.tenant).toBeCloseTo(-Math.log(1 / 26) / BIN_MS, 15);

    const again = drive();
    const arrivals = [...live.enriched.values()].filter(({ arrival }) => arrival.position < 99);
    await enrich.restore(again.state, restorableOf(arrivals), T0);
    expect(again.batch([next]).enriched).toEqual([record]);
  });

  test('what is replayed after a restart is sent as it is stored, and not counted again', async () => {
    const live = drive();
    const [first] = live.batch([saved(1, eventOf('e1', { ci }))]).enriched;
    const stored = { ...first!, all: 42 };
    const again = drive({ enriched: [stored] });
    await enrich.restore(again.state, restorableOf([stored]), T0);
    const { emitted } = again.batch([saved(1, eventOf('e1', { ci }))]);
    expect(emitted[1]?.entry.value).toBe(stored);
    expect(dayCount(again.state.tenants.get(TENANT)!.rates, T0)).toBe(1);
  });
});
