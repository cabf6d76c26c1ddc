import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import { sampleEvent, ulidOf } from '#test/contract/samples.ts';
import { type CachedRow, EventRowCache, newest } from './cache.ts';
import { accumulatedOf } from './row.ts';

let isRecording: boolean;
let memory: EventRowCache;
beforeEach(() => {
  isRecording = false;
  memory = new EventRowCache(() => isRecording);
});

const stored = (number: number) => {
  const event = sampleEvent(number);
  return { seq: number, event, accumulated: accumulatedOf(event), accumulatedSize: 10, size: 10 };
};
const rowOf = (number: number): CachedRow | undefined => memory.get('acme', ulidOf(number));
const countOf = (number: number): number | undefined => {
  const row = rowOf(number);
  return row && newest(row).event.count;
};
/** Writes without handing over. */
const change = (row: CachedRow, count: number, ...parts: EventPart[]): void => {
  isRecording = true;
  const event: Event = { ...row.event, count, status: 'acknowledged', position: count };
  memory.change(row, { parts: new Set(parts), event, accumulated: accumulatedOf(event), accumulatedSize: 10 });
};
const submit = (batch: number, row: CachedRow, count: number): void => {
  change(row, count, 'tally');
  memory.submitted(batch);
};

describe('an event in memory', () => {
  test('is changed by a repeat in place, and only when that is submitted', () => {
    const row = memory.keep(stored(1));
    const { event } = row;
    change(row, 2, 'tally');
    expect([event.count, countOf(1)]).toEqual([1, 2]);
    memory.submitted(1);
    expect(rowOf(1)?.event).toBe(event);
    expect([event.count, event.position, event.status]).toEqual([2, 2, 'open']);
  });

  test('that was read keeps what it was when another part changes', () => {
    const row = memory.keep(stored(1));
    const { event } = row;
    change(row, 2, 'state');
    memory.submitted(1);
    expect([event.status, rowOf(1)?.event.status, rowOf(1)?.event.count]).toEqual(['open', 'acknowledged', 1]);
  });

  test('is as before when the change is abandoned, and gone when it was new', () => {
    const row = memory.keep(stored(1));
    change(row, 2, 'tally');
    memory.create(stored(2));
    memory.discarded();
    expect([countOf(1), countOf(2)]).toEqual([1, undefined]);
  });

  test('is pending until its last change is applied, and is not forgotten before', () => {
    const row = memory.keep(stored(1));
    submit(1, row, 2);
    submit(2, row, 3);
    memory.applied(1);
    memory.clear();
    expect([memory.isPending(row), countOf(1)]).toEqual([true, 3]);
    memory.applied(2);
    expect(memory.isPending(row)).toBe(false);
    memory.clear();
    expect(countOf(1)).toBeUndefined();
  });

  test('is gone when its last change is lost; others stay', () => {
    const [one, two] = [memory.keep(stored(1)), memory.keep(stored(2))];
    submit(1, one, 2);
    submit(2, two, 2);
    memory.lost(2);
    expect([countOf(1), countOf(2)]).toEqual([2, undefined]);
  });

  test('is changed at once when nothing is accumulated', () => {
    const row = memory.keep(stored(1));
    const event = { ...row.event, count: 7 };
    memory.change(row, { parts: new Set(['tally']), event, accumulated: accumulatedOf(event), accumulatedSize: 99 });
    expect([countOf(1), memory.isPending(row)]).toEqual([7, false]);
  });

  test('is not the object that was written, and nobody else’s', () => {
    const mine = stored(1);
    memory.create(mine);
    expect(rowOf(1)?.event).toEqual(mine.event);
    expect(rowOf(1)?.event).not.toBe(mine.event);
    expect(memory.get('other', ulidOf(1))).toBeUndefined();
  });

  test('that is pending is not dropped for others', () => {
    const large = 30 * 1024 * 1024;
    const row = memory.keep({ ...stored(1), size: large });
    submit(1, row, 2);
    memory.keep({ ...stored(2), size: large });
    memory.keep({ ...stored(3), size: large });
    expect([1, 2, 3].map(countOf)).toEqual([2, 1, 1]);
    memory.applied(1);
    memory.keep({ ...stored(4), size: large });
    expect([1, 2, 3, 4].map(countOf)).toEqual([undefined, undefined, undefined, 1]);
  });
});
