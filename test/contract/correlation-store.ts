import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import { type CorrelationStore, GROUP_SORTS } from '#domain/ports/correlation-store.ts';
import type { LinkStore } from '#domain/ports/events/correlation-history.ts';
import type { Opened } from './opened.ts';
import { MINUTE, NOON, sampleDecision, sampleEnriched, sampleGroup, sampleLink, ulidOf } from './samples.ts';

export function correlationStoreContract(name: string, open: () => Promise<Opened<CorrelationStore & LinkStore>>) {
  describe(`${name} keeps the CorrelationStore contract`, () => {
    let store: CorrelationStore & LinkStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
    });
    afterEach(() => close());
    const all = { sort: 'last', order: 'asc', limit: 50 } as const;
    const everything = [0, NOON * 2, { limit: 50, order: 'asc' }] as const;

    describe('enriched records', () => {
      test('of a program that did not know a strategy yet have its defaults', async () => {
        const record = sampleEnriched(1);
        const { service: _, ...strategies } = record.settings.strategies;
        await store.save({ enriched: [{ ...record, settings: { ...record.settings, strategies } as never }] });
        const service = DEFAULT_SETTINGS.strategies.service;
        const settings = { ...record.settings, strategies: { ...strategies, service } };
        expect(await store.enriched('acme', [ulidOf(1)])).toEqual([{ ...record, settings }]);
        expect(await store.enrichedBetween('acme', ...everything)).toEqual([{ ...record, settings }]);
      });

      test('come back as they were saved', async () => {
        const late = { ...sampleEnriched(2, { ciId: null, chain: [] }), near: [], upstream: [], late: true };
        await store.save({ enriched: [sampleEnriched(1), late] });
        expect(await store.enriched('acme', [ulidOf(2), ulidOf(9), ulidOf(1)])).toEqual([late, sampleEnriched(1)]);
      });

      test('are never overwritten', async () => {
        await store.save({ enriched: [sampleEnriched(1)] });
        await store.save({ enriched: [sampleEnriched(1, { severity: 'info' })] });
        expect(await store.enriched('acme', [ulidOf(1)])).toEqual([sampleEnriched(1)]);
      });

      test('of one event: the newest counts', async () => {
        const again = sampleEnriched(1, { position: 8, ciId: 'ci-9', rebound: true });
        await store.save({ enriched: [again, sampleEnriched(1)] });
        expect(await store.enriched('acme', [ulidOf(1)])).toEqual([again]);
        expect(await store.enrichedBetween('acme', ...everything)).toEqual([again]);
      });

      test('of many events that came back: each is found once, as it is now', async () => {
        const numbers = Array.from({ length: 1_001 }, (_, n) => n + 1);
        const first = numbers.map((n) => sampleEnriched(n, { time: NOON + n }));
        const again = numbers.map((n) =>
          sampleEnriched(n, { position: 2_000 + n, time: NOON + 60 * MINUTE + n, rebound: true, again: 'returned' }),
        );
        await store.save({ enriched: [...first, ...again] });
        const found = await store.enrichedBetween('acme', 0, NOON * 2, { limit: 5_000, order: 'asc' });
        expect(found.map(({ arrival }) => arrival.position)).toEqual(numbers.map((n) => 2_000 + n));
      });

      test('with surroundings that differ only in one number stay apart', async () => {
        const one = sampleEnriched(1);
        // One topology answered for both, so all arrays are the same objects.
        const two = { ...one, arrival: { ...one.arrival, eventId: ulidOf(2), position: 2 }, all: 41 };
        await store.save({ enriched: [one, two] });
        expect((await store.enriched('acme', [ulidOf(1), ulidOf(2)])).map((e) => e.all)).toEqual([40, 41]);
      });

      test.each([
        [0, 9, 'asc', 50, [1, 2, 3, 4]],
        [2, 3, 'asc', 50, [2, 3]],
        [2, 9, 'desc', 2, [4, 3]],
        [5, 9, 'asc', 50, []],
      ] as const)('between minute %d and %d, %s, at most %d', async (from, to, order, limit, expected) => {
        await store.save({ enriched: [3, 1, 4, 2].map((n) => sampleEnriched(n)) });
        const found = await store.enrichedBetween('acme', NOON + from * MINUTE, NOON + to * MINUTE, { limit, order });
        expect(found.map(({ arrival }) => arrival.position)).toEqual(expected);
      });
    });

    describe('an analysis', () => {
      const range = { from: 0, to: NOON * 2, limit: 500, shown: 2, links: true };
      const saveAt = (times: readonly number[]) =>
        store.save({ enriched: times.map((time, index) => sampleEnriched(index + 1, { time })) });
      const eventsIn = (found: Iterable<readonly { readonly eventId: string }[]>) =>
        [...found].flat().map(({ eventId }) => eventId);

      test('looks at each record once, also when more than are read at once have the same time', async () => {
        await saveAt(Array.from({ length: 180 }, (_, n) => NOON + (n < 150 ? 0 : n)));
        const { analyzed, groups, correlated, shown, found } = await store.analyze('acme', range);
        expect([analyzed, groups > 0, shown.length > 0]).toEqual([180, true, true]);
        expect(correlated).toBeGreaterThanOrEqual(shown.reduce((sum, { members }) => sum + members.length, 0));
        expect(shown[0]?.pattern).toEqual(expect.any(String));
        const linked = eventsIn(found);
        expect(linked.length).toBeGreaterThan(100);
        expect(new Set(linked).size).toBe(linked.length);
        expect((await store.analyze('acme', { ...range, limit: 170 })).analyzed).toBe(170);
      });

      test('of no links has none, and of another tenant nothing', async () => {
        await saveAt([NOON, NOON + 1]);
        const { analyzed, found } = await store.analyze('acme', { ...range, links: false });
        expect([analyzed, eventsIn(found)]).toEqual([2, []]);
        expect(await store.analyze('other', range)).toMatchObject({ analyzed: 0, groups: 0, shown: [] });
      });
    });

    describe('decisions', () => {
      test('come back for the arrival and for every partner, by position', async () => {
        const refused = { ...sampleLink(2), guard: 'span' } as const;
        const first = sampleDecision(5, {
          accepted: [sampleLink(1)],
          refused: [refused],
          groupId: 'COR-1',
          founded: { eventId: ulidOf(1), time: NOON },
          joined: [ulidOf(1), ulidOf(5)],
          cut: { temporal: 3 },
          refusedBeyond: { size: ['COR-2', ulidOf(7)] },
          profile: 'specified',
        });
        const second = sampleDecision(6, {
          accepted: [sampleLink(5)],
          merged: ['COR-2'],
          closed: ['COR-3'],
          manual: true,
        });
        await store.save({ decisions: [second, first] });
        expect(await store.decisionsOf('acme', [ulidOf(5)], 9)).toEqual([first, second]);
        expect(await store.decisionsOf('acme', [ulidOf(1)], 9)).toEqual([first]);
        expect(await store.decisionsOf('acme', [ulidOf(2)], 9)).toEqual([first]);
        expect(await store.decisionsOf('acme', [ulidOf(5)], 1)).toEqual([first]);
        expect(await store.decisionsOf('acme', [ulidOf(5), ulidOf(6), ulidOf(9)], 9)).toEqual([first, second]);
        expect(await store.decisionsOf('acme', [ulidOf(6), ulidOf(1)], 1)).toEqual([first]);
        expect(await store.decisionsOf('acme', [], 9)).toEqual([]);
      });

      test('are the links of their events, the best other first, whether they were written just now or long ago', async () => {
        const linkTo = (n: number, score: number, strategy: string) => {
          const { reasons, ...link } = sampleLink(n);
          return { ...link, score, reasons: reasons.map((reason) => ({ ...reason, score, strategy })) };
        };
        const many = Array.from({ length: 12 }, (_, n) => linkTo(20 + n, 0.5 + n / 100, 'temporal'));
        await store.save({
          decisions: [
            sampleDecision(15, { accepted: [linkTo(1, 0.7, 'temporal'), linkTo(2, 0.9, 'topology')] }),
            sampleDecision(16, { accepted: [linkTo(15, 0.8, 'service'), linkTo(3, 0.7, 'temporal')] }),
            sampleDecision(17, { accepted: many, refused: [{ ...linkTo(15, 0.99, 'pattern'), guard: 'span' }] }),
            sampleDecision(18, { accepted: [] }),
          ],
        });
        const linksOf = async (...events: (readonly [n: number, createdPosition: number])[]) => {
          const asked = events.map(([n, createdPosition]) => ({ id: ulidOf(n), createdPosition }));
          const found = await store.linksOf('acme', asked);
          return Object.fromEntries(
            [...found].map(([id, { others, strategies }]) => [id, [others, [...strategies].sort()]]),
          );
        };
        const five = [
          [ulidOf(2), ulidOf(16), ulidOf(1)],
          ['service', 'temporal', 'topology'],
        ];
        const seven = [Array.from({ length: 10 }, (_, n) => ulidOf(31 - n)), ['temporal']];
        const expected = { [ulidOf(15)]: five, [ulidOf(17)]: seven };
        expect(await linksOf([15, 15], [17, 17], [18, 18])).toEqual(expected);
        // Their first decision was made earlier, as by a process before.
        expect(await linksOf([15, 14], [17, 14], [18, 14])).toEqual(expected);
        expect(await linksOf([2, 2])).toEqual({ [ulidOf(2)]: [[ulidOf(15)], ['topology']] });
        expect(await store.linksOf('other', [{ id: ulidOf(15), createdPosition: 15 }])).toEqual(new Map());
      });

      test('about splits come back as they were, also for who stayed', async () => {
        const apart = { id: 'split-1', from: 'COR-1', left: [ulidOf(3), ulidOf(4)], stayed: [ulidOf(1), ulidOf(2)] };
        const by = { id: 'u1', username: 'ann', name: 'Ann' };
        const split = sampleDecision(5, {
          eventId: ulidOf(4),
          apart,
          manual: true,
          hand: { by, at: NOON },
          groupId: 'COR-2',
          founded: { eventId: ulidOf(3), time: NOON },
          joined: apart.left,
        });
        const heir = sampleDecision(6, { heirOf: ulidOf(4) });
        const reunited = [{ id: 'split-1', left: [ulidOf(3)], stayed: [ulidOf(1)] }];
        const joined = sampleDecision(7, { eventId: ulidOf(3), accepted: [sampleLink(1)], manual: true, reunited });
        await store.save({ decisions: [joined, heir, split] });
        expect(await store.decisionsOf('acme', [ulidOf(2)], 9)).toEqual([split]);
        expect(await store.decisionsOf('acme', [ulidOf(4)], 9)).toEqual([split]);
        expect(await store.decisionsOf('acme', [ulidOf(3), ulidOf(6)], 9)).toEqual([split, heir, joined]);
        expect(await store.decisionsOf('other', [ulidOf(2)], 9)).toEqual([]);
      });

      test('are never overwritten, nor found for partners of the refused one', async () => {
        await store.save({ decisions: [sampleDecision(5, { accepted: [sampleLink(1)] })] });
        await store.save({ decisions: [sampleDecision(5, { accepted: [sampleLink(2)] })] });
        expect(await store.decisionsOf('acme', [ulidOf(1)], 9)).toHaveLength(1);
        expect(await store.decisionsOf('acme', [ulidOf(2)], 9)).toEqual([]);
      });
    });

    describe('groups', () => {
      test('keep their arrivals and the causes that were named', async () => {
        const told = { spark: Array.from({ length: 24 }, (_, n) => n), named: [{ eventId: ulidOf(1), at: NOON }] };
        await store.save({ groups: [sampleGroup(1, told)] });
        expect(await store.group('acme', sampleGroup(1).id)).toEqual(sampleGroup(1, told));
      });

      test('are fenced: an older position changes nothing', async () => {
        await store.save({ groups: [sampleGroup(1, { position: 5 })] });
        await store.save({ groups: [sampleGroup(1, { position: 4, size: 99 })] });
        expect(await store.group('acme', 'COR-1-abcdef')).toMatchObject({ position: 5, size: 2 });
        const newer = sampleGroup(1, { position: 5, size: 3 });
        await store.save({ groups: [newer] });
        expect(await store.group('acme', newer.id)).toEqual(newer);
        expect((await store.groups('acme', {}, all)).items).toEqual([newer]);
      });

      test('stand for what was merged into them, over several merges', async () => {
        const names = [1, 2, 3].map((n) => sampleGroup(n).id) as [string, string, string];
        const merged = (n: number, into: string, position: number) =>
          sampleGroup(n, { status: 'merged', mergedInto: into, position });
        await store.save({ groups: [1, 2, 3].map((n) => sampleGroup(n)) });
        await store.save({ groups: [merged(3, names[1], 13), sampleGroup(2, { aliases: [names[2]], position: 13 })] });
        expect((await store.group('acme', names[2]))?.id).toBe(names[1]);
        await store.save({
          groups: [merged(2, names[0], 14), sampleGroup(1, { aliases: [names[1], names[2]], position: 14 })],
        });
        for (const name of names) expect((await store.group('acme', name))?.id).toBe(names[0]);
        expect((await store.groups('acme', {}, all)).items.map(({ id }) => id)).toEqual([names[0]]);
      });

      test('an alias alone finds its group', async () => {
        await store.save({ groups: [sampleGroup(1, { aliases: ['COR-old'] })] });
        expect((await store.group('acme', 'COR-old'))?.id).toBe(sampleGroup(1).id);
        expect(await store.group('acme', 'COR-none')).toBeNull();
      });

      test.each([
        ['nothing', {}, [1, 2, 3, 4]],
        ['open', { status: 'open' }, [1, 2]],
        ['closed', { status: 'closed' }, [3, 4]],
        ['open, but not silent', { status: 'open', quietBefore: NOON + 7 * MINUTE }, [2]],
        ['closed or silent', { status: 'closed', quietBefore: NOON + 7 * MINUTE }, [1, 3, 4]],
        ['from', { from: NOON + 8 * MINUTE }, [3, 4]],
        ['to', { to: NOON + 2 * MINUTE }, [1, 2]],
        ['a range', { from: NOON + 7 * MINUTE, to: NOON + 3 * MINUTE }, [2, 3]],
      ] as const)('are filtered by %s', async (_name, filter, expected) => {
        await store.save({ groups: [1, 2, 3, 4].map((n) => sampleGroup(n, { status: n > 2 ? 'closed' : 'open' })) });
        const page = await store.groups('acme', filter, all);
        expect(page.items.map(({ position }) => position)).toEqual(expected);
        expect(page).toMatchObject({ total: expected.length, nextCursor: null });
      });

      test.each(GROUP_SORTS.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
        'are paged by %s %s with ties by id',
        async (sort, order) => {
          const same = { first: NOON, last: NOON, size: 2 };
          const groups = [1, 2, 3, 4, 5].map((n) => sampleGroup(n, n < 4 ? same : {}));
          await store.save({ groups });
          const sign = order === 'asc' ? 1 : -1;
          const expected = [...groups].sort((a, b) => sign * (a[sort] - b[sort] || (a.id < b.id ? -1 : 1)));
          const one = await store.groups('acme', {}, { sort, order, limit: 2 });
          const two = await store.groups('acme', {}, { sort, order, limit: 2, cursor: one.nextCursor! });
          const three = await store.groups('acme', {}, { sort, order, limit: 2, offset: 4 });
          expect([...one.items, ...two.items, ...three.items]).toEqual(expected);
          expect(three.nextCursor).toBeNull();
        },
      );
    });

    test('a foreign tenant finds nothing', async () => {
      const decision = sampleDecision(1, { accepted: [sampleLink(2)] });
      const group = sampleGroup(1, { aliases: ['COR-old'] });
      await store.save({ enriched: [sampleEnriched(1)], decisions: [decision], groups: [group] });
      expect(await store.enriched('other', [ulidOf(1)])).toEqual([]);
      expect(await store.enrichedBetween('other', ...everything)).toEqual([]);
      expect(await store.decisionsOf('other', [ulidOf(1)], 9)).toEqual([]);
      expect(await store.decisionsOf('other', [ulidOf(2)], 9)).toEqual([]);
      expect(await store.group('other', group.id)).toBeNull();
      expect(await store.group('other', 'COR-old')).toBeNull();
      expect((await store.groups('other', {}, all)).total).toBe(0);
    });

    test('tenants may use one position', async () => {
      const foreign = sampleEnriched(1, { tenant: 'other', severity: 'info' });
      await store.save({
        enriched: [sampleEnriched(1), foreign],
        decisions: [sampleDecision(1), sampleDecision(1, { tenant: 'other' })],
      });
      expect(await store.enriched('other', [ulidOf(1)])).toEqual([foreign]);
      expect(await store.decisionsOf('other', [ulidOf(1)], 9)).toHaveLength(1);
    });
  });
}
