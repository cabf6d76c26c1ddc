import { afterEach, describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { pause } from '#infra/wait.ts';
import { ulidOf } from '#test/setup/runner-kit.ts';
import { type TestSink, testSink, type Word } from '#test/setup/sink-kit.ts';
import { until } from '#test/setup/until.ts';

/** One sink at work, and possible incidents. */
export interface SinkWorld {
  /** Writes records; they all have the time that the clock shows. */
  say(words: readonly Word[]): Promise<void>;
  advance(ms: number): void;
  pause(isPaused: boolean): void;
  letters(): Promise<readonly { readonly processor: string; readonly position: number; readonly attempts: number }[]>;
  /** Ends like a kill, and starts again. */
  kill(): Promise<void>;
  /** The same after all consumed events are recorded. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const word = (tenant: string, n: number): Word => ({ tenant, id: `E${n}`, happened: 'created' });
const words = (count: number, from = 0) => Array.from({ length: count }, (_, n) => word('t', from + n));
const takenIds = ({ taken }: TestSink) => taken.map(({ id }) => id);
const idsOf = (all: readonly Word[]) => all.map(({ id }) => ulidOf(id));

/** Guarantees for a sink, in any runner. */
export const sinkRunnerContract = (name: string, open: (sink: TestSink) => Promise<SinkWorld>): void => {
  describe(`${name} runs sinks as the contract says`, () => {
    let world: SinkWorld | null = null;
    afterEach(async () => {
      await world?.close();
      world = null;
    });
    const opened = async (sink: TestSink): Promise<SinkWorld> => {
      world = await open(sink);
      return world;
    };

    test('everything that it is told of, once, in order, at most 2,000 at a time', async () => {
      const sink = testSink('s');
      const { say } = await opened(sink);
      await say(words(2_500));
      await until(async () => sink.taken.length >= 2_500);
      expect(takenIds(sink)).toEqual(idsOf(words(2_500)));
      expect(Math.max(...sink.given.map((batch) => batch.length))).toBeLessThanOrEqual(2_000);
    });

    test('only what it asked to be told of, with the status before', async () => {
      const sink = testSink('s');
      const { say } = await opened(sink);
      await say([word('t', 1), { ...word('t', 1), happened: 'repeated' }, { ...word('u', 2), happened: 'changed' }]);
      await until(async () => sink.taken.length === 2);
      expect(sink.taken).toMatchObject([
        { happened: 'created', id: ulidOf('E1'), tenant: 't' },
        { happened: 'status', id: ulidOf('E2'), previousStatus: 'open', tenant: 'u' },
      ]);
      expect(sink.taken[0]!.position).toBeLessThan(sink.taken[1]!.position);
    });

    test('what comes soon after a batch together', async () => {
      const sink = testSink('s', { everyMs: 60_000 });
      const { say, advance } = await opened(sink);
      await say([word('t', 1)]);
      await until(async () => sink.taken.length === 1);
      await say([word('t', 2)]);
      await pause(50);
      await say([word('t', 3)]);
      expect(sink.given).toHaveLength(1);
      // The sink may not rest yet, and would miss a single advance.
      await until(async () => {
        advance(60_000);
        return sink.taken.length === 3;
      });
      expect(sink.given).toHaveLength(2);
    });

    test('not before its delay is over', async () => {
      const sink = testSink('s', { delayMs: 80 });
      const { say, advance } = await opened(sink);
      await say(words(3));
      expect(sink.taken).toEqual([]);
      advance(80);
      await until(async () => sink.taken.length === 3);
    });

    test('again and again while it can take nothing, and none is lost or given up', async () => {
      const sink = testSink('s');
      const { say, letters } = await opened(sink);
      let left = 12;
      sink.trouble = () => {
        if (left-- > 0) throw new Fault('unavailable', 'down');
      };
      await say(words(5));
      await until(async () => sink.taken.length === 5);
      expect([takenIds(sink), await letters()]).toEqual([idsOf(words(5)), []]);
    });

    test('all but what it cannot take, which becomes a dead letter after three attempts', async () => {
      const sink = testSink('s');
      const { say, letters } = await opened(sink);
      sink.trouble = (batch) => {
        if (batch.some(({ id }) => id === ulidOf('E2'))) throw new TypeError('cannot read it');
      };
      await say(words(5));
      await until(async () => sink.taken.length === 4);
      expect(takenIds(sink)).toEqual(idsOf(words(5).filter(({ id }) => id !== 'E2')));
      expect(sink.given.filter((batch) => batch.length === 1 && batch[0]!.id === ulidOf('E2'))).toHaveLength(3);
      expect(await letters()).toMatchObject([{ processor: 's', attempts: 3 }]);
    });

    test('nothing while it is paused, and all of it later', async () => {
      const sink = testSink('s');
      const { say, pause } = await opened(sink);
      pause(true);
      await say(words(3));
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(sink.given).toEqual([]);
      pause(false);
      await until(async () => sink.taken.length === 3);
    });

    test('again after a kill what was not noted, and nothing twice after an end that was orderly', async () => {
      const sink = testSink('s');
      const opening = await opened(sink);
      sink.trouble = () => new Promise(() => {});
      await opening.say(words(3));
      await until(async () => sink.given.length === 1);
      sink.trouble = null;
      await opening.kill();
      await until(async () => sink.taken.length === 3);
      await opening.restart();
      await opening.say(words(2, 3));
      await until(async () => sink.taken.length === 5);
      expect(takenIds(sink)).toEqual(idsOf(words(5)));
    });
  });
};
