import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { relate } from '#domain/correlation/on-demand/relate.ts';
import type { Arrival, CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import { service } from '#domain/correlation/strategies/service.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { temporal } from '#domain/correlation/strategies/temporal.ts';
import { NO_ARRIVAL } from '#domain/correlation/window/enrichment.ts';
import { REACH_MS } from '#domain/correlation/window/window.ts';
import { driveJoin, restorableOf } from '#test/setup/drive-join.ts';
import { at, MINUTE, record, settingsOf, strategySet, T } from '#test/setup/pair-kit.ts';
import { correlate } from './correlate.ts';
import { SWEEP_EVERY } from './idle.ts';

const entryOf = (value: Enriched) => ({ tenant: value.arrival.tenant, position: value.arrival.position, value });
/** Settings under which enrich would accept all: nothing here is later than this. */
const LENIENT = { ...settingsOf(), latenessMs: 60 * MINUTE };
const arrivals = (made: readonly Partial<Arrival>[]) =>
  made.map((arrival, position) =>
    entryOf(record({ settings: LENIENT, arrival: { eventId: `e${position}`, ...arrival, position } })),
  );

/** Change of an event that arrived some arrivals before. */
const LATER = fc.record({
  kind: fc.constantFrom('escalated', 'returned', 'supersedes', 'ended', 'resumed'),
  back: fc.integer({ min: 1, max: 20 }),
});
/** The same history with the changes of its events, each with the position after the arrival it follows. */
const livedOf = (made: readonly (Partial<Arrival> & { readonly later?: { kind: string; back: number } | null })[]) => {
  const told: { tenant: string; position: number; value: Enriched }[] = [];
  for (const [n, { later, ...given }] of made.entries()) {
    const position = told.length;
    told.push(entryOf(record({ settings: LENIENT, arrival: { eventId: `e${n}`, ...given, position } })));
    const about = later && told[position - later.back]?.value;
    if (!later || !about || about.turn) continue;
    const { again: _, supersedes: __, ...known } = about.arrival;
    const next = { tenant: 'acme', position: position + 1 };
    if (later.kind === 'ended' || later.kind === 'resumed') {
      const kind = later.kind === 'ended' ? 'ended' : 'returned';
      told.push({ ...next, value: { ...NO_ARRIVAL, turn: { kind, eventId: known.eventId, at: T } } });
      continue;
    }
    const second: Arrival = {
      ...known,
      position: position + 1,
      rebound: true,
      ciId: 'x',
      ...(later.kind === 'returned' && { again: 'returned', time: T }),
      ...(later.kind === 'supersedes' && { eventId: `s${n}`, again: 'supersedes', supersedes: known.eventId }),
    };
    told.push({ ...next, value: { ...about, arrival: second } });
  }
  return told;
};
/**
 * Returns stored rows: arrivals up to a cut, and the transitions of their events, which dedup may have stored beyond
 * it.
 */
const storedOf = (told: ReturnType<typeof livedOf>, cut = told.length) =>
  told
    .slice(0, cut)
    .filter(({ value }) => value.turn === undefined)
    .map(({ value: { arrival } }) => {
      const turns = told.flatMap(({ position, value: { turn } }) =>
        turn?.eventId === arrival.eventId ? [{ ...turn, position }] : [],
      );
      return { arrival, late: false, turns };
    });

const MADE = fc.array(
  fc.record({
    time: fc.integer({ min: -60, max: 0 }).map((minutes) => T + minutes * MINUTE),
    ciId: fc.constantFrom('x', 'y', null),
    signature: fc.constantFrom('s', 't'),
    system: fc.constantFrom('h1', 'h2'),
    services: fc.subarray(['shop', 'web']),
  }),
  { maxLength: 40 },
);

describe('correlate', () => {
  test('emits at most one record of hits per arrival, with its position, and none when there are none', () => {
    const { match, emitted } = driveJoin(correlate(service));
    match(arrivals([{ services: ['shop'] }, {}, { services: ['shop'] }]));
    expect(emitted).toEqual([
      {
        topic: 'correlation.hits',
        entry: {
          tenant: 'acme',
          position: 2,
          value: {
            kind: 'hits',
            strategy: 'service',
            eventId: 'e2',
            cut: 0,
            hits: [
              {
                other: 'e0',
                score: 0.8,
                literalScore: 0.8,
                reason: 'same_service',
                details: { services: ['shop'], gapMs: 0 },
              },
            ],
          },
        },
      },
    ]);
  });

  test('says how far it is, also when it found nothing', () => {
    const { passed, emitted } = driveJoin(correlate(temporal));
    passed(17);
    expect(emitted.map(({ topic, entry }) => [topic, entry.position, entry.value])).toEqual([
      ['correlation.hits', 17, { kind: 'passed', strategy: 'temporal', through: 17 }],
    ]);
  });

  test('a strategy that is switched off finds nothing, passes, and still remembers', () => {
    const off = strategySet(LENIENT, 'service', { enabled: false });
    const { match, passed, emitted } = driveJoin(correlate(service));
    const [first, second, third] = arrivals([{ services: ['shop'] }, { services: ['shop'] }, { services: ['shop'] }]);
    match([first!, { ...second!, value: { ...second!.value, settings: off } }]);
    passed(1);
    expect(emitted.map(({ entry }) => (entry.value as { kind: string }).kind)).toEqual(['passed']);
    match([third!]);
    expect(emitted[1]?.entry.value).toMatchObject({ hits: [{ other: 'e0' }, { other: 'e1' }] });
  });

  test('tenants never meet', () => {
    const { match, emitted } = driveJoin(correlate(temporal));
    match(arrivals([{ tenant: 'a' }, { tenant: 'b' }]));
    expect(emitted).toEqual([]);
  });

  test('property: hits are the same whatever the batches, and after a restart between them', async () => {
    await fc.assert(
      fc.asyncProperty(MADE, fc.nat(40), async (made, cut) => {
        const entries = arrivals(made);
        for (const strategy of strategies) {
          const whole = driveJoin(correlate(strategy));
          whole.match(entries);
          const before = driveJoin(correlate(strategy));
          before.match(entries.slice(0, cut));
          const join = correlate(strategy);
          const after = driveJoin(join);
          const stored = entries.slice(0, cut).map(({ value }) => ({ arrival: value.arrival, late: false }));
          await join.restore(after.state, restorableOf(stored), T + MINUTE);
          after.match(entries.slice(cut));
          expect([...before.emitted, ...after.emitted]).toEqual(whole.emitted);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('property: what becomes of events is the same whatever the batches, and after a restart between them', async () => {
    const lived = MADE.chain((made) =>
      fc
        .array(fc.option(LATER), { minLength: made.length, maxLength: made.length })
        .map((later) => livedOf(made.map((one, i) => ({ ...one, later: later[i]! })))),
    );
    await fc.assert(
      fc.asyncProperty(lived, fc.nat(80), async (told, cut) => {
        for (const strategy of strategies) {
          const whole = driveJoin(correlate(strategy));
          whole.match(told);
          const before = driveJoin(correlate(strategy));
          before.match(told.slice(0, cut));
          const join = correlate(strategy);
          const after = driveJoin(join);
          await join.restore(after.state, restorableOf(storedOf(told, cut)), T + MINUTE);
          after.match(told.slice(cut));
          expect([...before.emitted, ...after.emitted]).toEqual(whole.emitted);
          const turns = ({ state }: typeof whole) => new Map(state.tenants.get('acme')?.turns);
          if (cut > 0) expect(turns(after)).toEqual(turns(whole));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('property: on demand finds what the pipeline found', () => {
    fc.assert(
      fc.property(MADE, (made) => {
        const entries = arrivals(made);
        const last = entries.at(-1);
        if (last === undefined) return;
        const scores = new Map<string, number>();
        for (const strategy of strategies) {
          const { match, emitted } = driveJoin(correlate(strategy));
          match(entries);
          const mine = emitted.filter(({ entry }) => entry.position === last.position);
          for (const { entry } of mine)
            for (const { other, score } of (entry.value as { hits: { other: string; score: number }[] }).hits)
              scores.set(other, Math.max(score, scores.get(other) ?? 0));
        }
        const links = relate(
          last.value,
          entries.slice(0, -1).map(({ value }) => value),
        );
        expect(new Map(links.map(({ other, score }) => [other, score]))).toEqual(scores);
      }),
    );
  });

  test('late arrivals are not restored, suppressed ones are', async () => {
    const join = correlate(temporal);
    const { state, match, emitted } = driveJoin(join);
    const stored = [
      { arrival: at('late', 0), late: true },
      { arrival: at('quiet', 0, { suppressed: true }), late: false },
    ];
    await join.restore(state, restorableOf(stored), T);
    match([entryOf(record())]);
    expect(emitted[0]?.entry.value).toMatchObject({ hits: [{ other: 'quiet' }] });
  });

  test('a window that the tenant widens finds what came while it was narrow', () => {
    const { match, emitted } = driveJoin(correlate(service));
    const wide = { ...settingsOf(), latenessMs: 0 };
    const narrow = strategySet(wide, 'service', { windowMs: 10_000 });
    const shop = (eventId: string, gap: number, settings = narrow) =>
      record({ settings, arrival: { eventId, time: T + gap, services: ['shop'], position: gap } });
    match([entryOf(shop('a', 0)), entryOf(shop('b', MINUTE))]);
    expect(emitted).toEqual([]);
    match([entryOf(shop('c', 2 * MINUTE, wide))]);
    const [found] = emitted.map(({ entry }) => entry.value as Extract<CorrelationInput, { kind: 'hits' }>);
    expect(found?.hits.map(({ other }) => other)).toEqual(['b', 'a']);
  });

  test('forgets a tenant that is silent while others move on, at the second look', () => {
    const { match, state } = driveJoin(correlate(temporal));
    const busy = (time: number) => arrivals([{ tenant: 'busy', time }]);
    const look = (time: number): string[] => {
      state.count += SWEEP_EVERY - 1 - (state.count % SWEEP_EVERY);
      match(busy(time));
      return [...state.tenants.keys()];
    };
    match(arrivals([{ tenant: 'silent' }]));
    expect(look(T + REACH_MS + 1)).toEqual(['silent', 'busy']);
    expect(look(T + REACH_MS + 2)).toEqual(['busy']);
  });

  test('keeps a silent tenant whose window the others have not left', () => {
    const { match, state } = driveJoin(correlate(temporal));
    match(arrivals([{ tenant: 'silent' }]));
    state.count = 2 * SWEEP_EVERY - 1;
    match(arrivals([{ tenant: 'busy', time: T + 30 * MINUTE }]));
    expect([...state.tenants.keys()]).toEqual(['silent', 'busy']);
  });
});
