import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { LiveChange } from '#domain/live/live-change.ts';
import type { Listening, LiveChanges, LiveListener } from '#domain/ports/live/live-changes.ts';
import { seeded } from '#test/setup/seeded.ts';
import { until } from '#test/setup/until.ts';

/** Source of changes and their notifications. */
export interface LiveWorld {
  readonly live: LiveChanges;
  /** Changes of another process of the same service; absent: there can be none. */
  readonly other?: LiveChanges;
  /** Makes CIs of these ids in the tenant, in this order. */
  change(tenant: string, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

interface Heard extends Listening {
  readonly ids: string[];
  readonly missed: () => number;
}

/** Thousands of CIs are made one after the other. */
const MAX_CUTS_MS = 240_000;

const ids = (prefix: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${from + n}`);

/** Guarantees for listeners of live changes. Every test uses tenants of its own. */
export const liveChangesContract = (name: string, open: () => Promise<LiveWorld>): void => {
  describe(`${name} keeps the LiveChanges contract`, () => {
    let world: LiveWorld | null = null;
    const heard: Heard[] = [];
    afterEach(() => {
      for (const one of heard.splice(0)) one.close();
    });
    afterAll(async () => {
      await world?.close();
    });
    const opened = async (): Promise<LiveWorld> => {
      world ??= await open();
      return world;
    };
    const listen = async (live: LiveChanges, tenant: string, from: string | null = null): Promise<Heard> => {
      const told: string[] = [];
      let missed = 0;
      const listener: LiveListener = {
        changed: ({ id }: LiveChange) => void told.push(id ?? '?'),
        missed: () => {
          missed += 1;
        },
        ended: () => undefined,
      };
      const listening = await live.listen(tenant, from, listener);
      const one = { ...listening, ids: told, missed: () => missed };
      heard.push(one);
      return one;
    };
    const hears = (one: Heard, id: string): Promise<void> => until(async () => one.ids.includes(id));

    test('every change of its tenant is told once and in order, none of another', async () => {
      const { live, change } = await opened();
      const [ours, theirs] = [await listen(live, 'one'), await listen(live, 'two')];
      expect([ours.isGap, theirs.isGap]).toEqual([false, false]);
      await Promise.all([change('one', ids('a', 5)), change('two', ids('b', 5))]);
      await change('one', ids('a', 5, 5));
      await Promise.all([hears(ours, 'a-9'), hears(theirs, 'b-4')]);
      expect([ours.ids, theirs.ids]).toEqual([ids('a', 10), ids('b', 5)]);
    });

    test('what was made before is not waited for, and nothing is told after the end', async () => {
      const { live, change } = await opened();
      await change('early', ids('before', 3));
      const first = await listen(live, 'early');
      await change('early', ids('seen', 2));
      await hears(first, 'seen-1');
      first.close();
      first.close();
      const second = await listen(live, 'early');
      await change('early', ids('after', 1));
      await hears(second, 'after-0');
      expect(first.ids.filter((id) => !id.startsWith('before'))).toEqual(ids('seen', 2));
      expect(second.ids).toEqual(ids('after', 1));
    });

    test('who comes again is told what it has missed, and only that', async () => {
      const { live, change } = await opened();
      const first = await listen(live, 'again');
      await change('again', ids('seen', 3));
      await hears(first, 'seen-2');
      const position = first.position();
      first.close();
      await change('again', ids('missed', 3));
      const second = await listen(live, 'again', position);
      expect(second.isGap).toBe(false);
      await change('again', ids('new', 1));
      await hears(second, 'new-0');
      expect(second.ids).toEqual([...ids('missed', 3), 'new-0']);
      const third = await listen(live, 'again', second.position());
      expect([third.isGap, third.ids]).toEqual([false, []]);
    });

    test('a position that is too old, of another tenant or of nobody is a gap', async () => {
      const { live, change } = await opened();
      const first = await listen(live, 'old');
      const old = first.position();
      for (let n = 0; n < 11; n++) await change('old', ids(`c${n}`, 200));
      await hears(first, 'c10-199');
      for (const from of [old, '', 'nonsense', '9.9', `${old}.1`, old.replace(/^./, 'Z')]) {
        const lost = await listen(live, 'old', from);
        expect([from, lost.isGap, lost.ids]).toEqual([from, true, []]);
      }
      expect((await listen(live, 'old', first.position())).isGap).toBe(false);
    });

    test(
      'cut a hundred times at random, a reader has missed nothing that it was not told to read anew',
      async () => {
        const { live, change } = await opened();
        const { next: random } = seeded(7);
        const witness = await listen(live, 'cuts');
        let [position, gaps] = [null as string | null, 0];
        const known = new Set<string>();
        let made: string[] = [];
        for (let cut = 0; cut < 100; cut++) {
          const one = await listen(live, 'cuts', position);
          if (one.isGap) {
            gaps += 1;
            for (const id of made) known.add(id);
          }
          const count = random() < 0.05 ? 199 : Math.floor(random() * 5);
          const between = ids(`x${cut}`, count);
          // Some are sent, some arrive after the cut, and some while it is cut.
          const changing = change('cuts', between);
          if (random() < 0.5) await changing;
          if (random() < 0.3) await new Promise((resolve) => setTimeout(resolve, random() * 10));
          position = one.position();
          for (const id of one.ids) known.add(id);
          one.close();
          await changing;
          made = [...made, ...between];
          if (cut % 30 === 29) {
            // More than can be caught up on.
            for (let n = 0; n < 11; n++) await change('cuts', ids(`y${cut}-${n}`, 199));
            made = [...made, ...Array.from({ length: 11 }, (_, n) => ids(`y${cut}-${n}`, 199)).flat()];
            await hears(witness, `y${cut}-10-198`);
          }
        }
        const last = await listen(live, 'cuts', position);
        if (last.isGap) for (const id of made) known.add(id);
        await change('cuts', ['the-end']);
        await hears(last, 'the-end');
        for (const id of last.ids) known.add(id);
        expect([...made, 'the-end'].filter((id) => !known.has(id))).toEqual([]);
        expect(gaps).toBeGreaterThan(0);
        expect(gaps).toBeLessThan(50);
      },
      MAX_CUTS_MS,
    );

    test('a position means the same in another process', async () => {
      const { live, other = live, change } = await opened();
      const [here, there] = [await listen(live, 'both'), await listen(other, 'both')];
      await change('both', ids('seen', 3));
      await Promise.all([hears(here, 'seen-2'), hears(there, 'seen-2')]);
      const position = here.position();
      await change('both', ids('missed', 3));
      await hears(there, 'missed-2');
      const moved = await listen(other, 'both', position);
      await hears(moved, 'missed-2');
      expect([moved.isGap, moved.ids]).toEqual([false, ids('missed', 3)]);
    });
  });
};
