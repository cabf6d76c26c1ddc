import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { CorrelationHistory } from '#domain/ports/events/correlation-history.ts';
import type { EventStore } from '#domain/ports/events/event-store.ts';
import type { Opened } from './opened.ts';
import { MINUTE, NOON, sampleDecision, sampleEnriched, sampleEvent, ulidOf } from './samples.ts';

interface Stores {
  readonly correlationHistory: CorrelationHistory;
  readonly correlation: CorrelationStore;
  readonly events: EventStore;
}

export function correlationHistoryContract(name: string, open: () => Promise<Opened<Stores>>) {
  describe(`${name} keeps the CorrelationHistory contract`, () => {
    let { correlationHistory: history, correlation, events } = {} as Stores;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const opened = await open();
      ({ correlationHistory: history, correlation, events } = opened.store);
      close = opened.close;
    });
    afterEach(() => close());

    const all = { from: 0, after: -1, limit: 50 };
    const positions = async (since: object = {}): Promise<number[]> =>
      (await history.records('acme', { ...all, ...since })).map(({ record }) => record.arrival.position);
    /** The second arrival of an event. */
    const again = (number: number, position: number) =>
      sampleEnriched(number, { position, rebound: true, again: 'returned', time: NOON + position * MINUTE });

    test('records come by position, those of an event that arrived again each', async () => {
      await correlation.save({ enriched: [3, 1, 2].map((n) => sampleEnriched(n)) });
      await correlation.save({ enriched: [again(1, 5), again(1, 7), again(2, 6)] });
      expect(await positions()).toEqual([1, 2, 3, 5, 6, 7]);
      const [{ record }] = (await history.records('acme', { ...all, after: 5, limit: 1 })) as unknown as [
        { record: unknown },
      ];
      expect(record).toEqual(again(2, 6));
    });

    test.each([
      [{ after: 2 }, [3, 4]],
      [{ after: 4 }, []],
      [{ limit: 2 }, [1, 2]],
      [{ from: NOON + 3 * MINUTE }, [3, 4]],
      [{ from: NOON + 2 * MINUTE, after: 2, limit: 1 }, [3]],
    ])('within %j there are the positions %j', async (since, expected) => {
      await correlation.save({ enriched: [4, 2, 1, 3].map((n) => sampleEnriched(n)) });
      await correlation.save({ enriched: [sampleEnriched(8, { tenant: 'other', position: 3 })] });
      expect(await positions(since)).toEqual(expected);
    });

    test('the extent counts records and names the first position', async () => {
      expect(await history.extent('acme', 0)).toEqual({ records: 0, first: null });
      await correlation.save({ enriched: [...[1, 2, 3].map((n) => sampleEnriched(n)), again(1, 5), again(1, 6)] });
      expect(await history.extent('acme', 0)).toEqual({ records: 5, first: 1 });
      expect(await history.extent('acme', NOON + 3 * MINUTE)).toEqual({ records: 3, first: 3 });
      expect(await history.extent('other', 0)).toEqual({ records: 0, first: null });
    });

    test('each record has all ends and returns of its event', async () => {
      const turned = [
        { at: NOON, by: null, from: null, to: 'open' as const, position: 1 },
        { at: NOON + 1, by: null, from: 'open' as const, to: 'resolved' as const, position: 2 },
        { at: NOON + 2, by: null, from: 'resolved' as const, to: 'open' as const, position: 3 },
      ];
      await events.save([sampleEvent(1, { history: turned }), sampleEvent(2)]);
      await correlation.save({ enriched: [sampleEnriched(1), sampleEnriched(2), again(1, 9), sampleEnriched(4)] });
      const ends = [
        { kind: 'ended', eventId: ulidOf(1), at: NOON + 1, position: 2 },
        { kind: 'returned', eventId: ulidOf(1), at: NOON + 2, position: 3 },
      ];
      const found = await history.records('acme', all);
      expect(found.map(({ turns }) => turns)).toEqual([ends, [], [], ends]);
    });

    test('decisions that no arrival brought come by position', async () => {
      await correlation.save({ enriched: [sampleEnriched(1), sampleEnriched(2), again(2, 6)] });
      const decision = (position: number, event: number) =>
        sampleDecision(position, { position, eventId: ulidOf(event), manual: position > 4 });
      const [first, second] = [decision(4, 1), decision(7, 2)];
      await correlation.save({ decisions: [second, decision(2, 2), decision(6, 2), first, decision(1, 1)] });
      expect(await history.demanded('acme', -1, 9)).toEqual([first, second]);
      expect(await history.demanded('acme', 4, 9)).toEqual([second]);
      expect(await history.demanded('acme', -1, 1)).toEqual([first]);
      expect(await history.demanded('other', -1, 9)).toEqual([]);
    });
  });
}
