import { afterEach, describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';
import type { SinkEvent } from '#domain/ports/sink.ts';
import { openTenantPurge } from '#infra/embedded/tenant-purge.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { diskFull, type KitOptions, NOON, openRunner, type RunnerKit, ulidOf } from '#test/setup/runner-kit.ts';
import { sayer, saying, testSink, type Word } from '#test/setup/sink-kit.ts';
import { until } from '#test/setup/until.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
const open = async (options: KitOptions): Promise<RunnerKit> => {
  const kit = await openRunner({ stages: [sayer], ...options });
  ends.push(() => kit.close());
  return kit;
};
const directory = () => {
  const made = temporaryDirectory();
  ends.push(() => made.remove());
  return made.path;
};

const PAUSE = { by: { kind: 'user', id: 'u', name: 'U' }, at: NOON } as unknown as Pause;
const created = (id: string, tenant = 't'): Word => ({ tenant, id, happened: 'created' });
const changed = (id: string, tenant = 't'): Word => ({ tenant, id, happened: 'changed' });
const say = async ({ runner }: RunnerKit, ...words: Word[]) => {
  const answers = words.map((word) => runner.submit(word.tenant, [saying(word)], 5_000));
  await Promise.all(answers);
};
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => created(`E${from + index}`));
const ids = (taken: readonly SinkEvent[]) => taken.map(({ id }) => id.replace(/^0+/, ''));
const lagOf = ({ sinks }: RunnerKit, place = 0) => sinks.loops[place]!.status.lag;
const rows = ({ database }: RunnerKit) => Number(database.statement('SELECT count(*) AS n FROM outbox').get()?.n);

describe('a sink', () => {
  test('is told what happened, by whom it concerns, in which record and when; of nothing else', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    await say(kit, created('A'), { tenant: 't', id: 'A', happened: 'repeated' }, changed('A', 'u'));
    await kit.sinks.idle();
    expect(sink.taken).toEqual([
      { happened: 'created', id: ulidOf('A'), tenant: 't', position: 1, at: NOON },
      { happened: 'status', id: ulidOf('A'), previousStatus: 'open', tenant: 'u', position: 3, at: NOON },
    ]);
  });

  test('takes at most 2,000 at once, in order, and knows how many wait behind', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    sink.trouble = () => {
      throw new Fault('unavailable', 'not yet');
    };
    await say(kit, ...many(2_300));
    await kit.sinks.idle();
    expect(lagOf(kit)).toBe(2_300);
    sink.trouble = null;
    await until(async () => sink.taken.length === 2_300);
    expect([sink.lags, ids(sink.taken)]).toEqual([[300, 0], many(2_300).map(({ id }) => id)]);
    expect(lagOf(kit)).toBe(0);
  });

  test('is told only what it wants, though others are told more', async () => {
    const [all, some] = [testSink('all'), testSink('some', { created: true })];
    const kit = await open({ sinks: [all, some] });
    await say(kit, created('A'), changed('A'), created('B'));
    expect([lagOf(kit, 0), lagOf(kit, 1)]).toEqual([3, 2]);
    await kit.sinks.idle();
    expect([ids(all.taken), ids(some.taken)]).toEqual([
      ['A', 'A', 'B'],
      ['A', 'B'],
    ]);
  });

  test('is given a record only when it is old enough', async () => {
    const sink = testSink('one', { delayMs: 2_000 });
    const kit = await open({ sinks: [sink] });
    await say(kit, created('A'));
    kit.clock.advance(1_999);
    await say(kit, created('B'));
    await kit.sinks.idle();
    expect(sink.taken).toEqual([]);
    kit.clock.advance(1);
    await kit.sinks.idle();
    expect(ids(sink.taken)).toEqual(['A']);
    kit.clock.advance(1_999);
    await kit.sinks.idle();
    expect(ids(sink.taken)).toEqual(['A', 'B']);
  });

  test('looks by itself when a batch was kept and nothing else happens', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink], path: directory() });
    await say(kit, created('A'));
    await until(async () => sink.taken.length === 1);
  });

  test('is not told of a batch that was refused', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    let faults = 1;
    kit.faults.commit = () => {
      if (faults-- > 0) throw diskFull();
    };
    await expect(say(kit, created('A'))).rejects.toMatchObject({ kind: 'unavailable' });
    await until(async () => kit.runner.status.state === 'running');
    await say(kit, created('B'));
    await kit.sinks.idle();
    expect([ids(sink.taken), lagOf(kit)]).toEqual([['B'], 0]);
  });
});

describe('after a restart a sink', () => {
  test('goes on behind what it had taken', async () => {
    const [path, sink] = [directory(), testSink('one')];
    const first = await openRunner({ stages: [sayer], sinks: [sink], path, saveMs: 60_000 });
    await say(first, created('A'));
    await first.sinks.idle();
    await first.close();
    const second = await open({ sinks: [sink], path });
    await say(second, created('B'));
    await second.sinks.idle();
    expect(ids(sink.taken)).toEqual(['A', 'B']);
  });

  test('takes again what was not noted as taken', async () => {
    const [path, sink] = [directory(), testSink('one')];
    const first = await openRunner({ stages: [sayer], sinks: [sink], path, saveMs: 60_000 });
    await say(first, created('A'), created('B'));
    await first.sinks.idle();
    await first.kill();
    const second = await open({ sinks: [sink], path });
    expect(lagOf(second)).toBe(2);
    await second.sinks.idle();
    expect(ids(sink.taken)).toEqual(['A', 'B', 'A', 'B']);
  });
});

describe('a sink that fails', () => {
  test('rests and tries again without end when it can take nothing', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    let left = 20;
    sink.trouble = () => {
      if (left-- > 0) throw new Fault('unavailable', 'the other side is down');
    };
    await say(kit, created('A'));
    await kit.sinks.idle();
    expect(kit.sinks.loops[0]!.status.lastError).toEqual({ message: 'the other side is down', at: NOON });
    await until(async () => sink.taken.length === 1);
    expect([kit.rejected(), kit.sinks.loops[0]!.status.lastError]).toEqual([[], null]);
  });

  test('at one happening takes the others in order, and that one becomes a dead letter after three attempts', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    sink.trouble = (batch) => {
      if (batch.some(({ id }) => id === ulidOf('E3'))) throw new TypeError('cannot read it');
    };
    await say(kit, ...many(6));
    await kit.sinks.idle();
    expect(ids(sink.taken)).toEqual(['E0', 'E1', 'E2', 'E4', 'E5']);
    expect(sink.given.map((batch) => batch.length)).toEqual([6, 3, 3, 2, 1, 1, 1, 1, 1]);
    const happening = { happened: 'created', id: ulidOf('E3'), tenant: 't', position: 4, at: NOON };
    expect(kit.rejected()).toMatchObject([
      {
        topic: 'events.saved',
        processor: 'one',
        position: 4,
        attempts: 3,
        reason: 'cannot read it',
        content: { kind: 'json', record: happening },
      },
    ]);
    await say(kit, created('X'), created('Y'));
    await kit.sinks.idle();
    expect(sink.given.at(-1)?.length).toBe(2);
  });

  test('holds up neither the pipeline nor another sink', async () => {
    const [stuck, other] = [testSink('stuck'), testSink('other')];
    const kit = await open({ sinks: [stuck, other] });
    stuck.trouble = () => new Promise(() => {});
    await say(kit, created('A'));
    await until(async () => other.taken.length === 1);
    await say(kit, created('B'));
    await until(async () => other.taken.length === 2);
    expect([stuck.taken, lagOf(kit, 0), lagOf(kit, 1)]).toEqual([[], 2, 0]);
  });

  test('by taking too long is aborted, and tried with half as many', async () => {
    const sink = testSink('slow');
    const kit = await open({ sinks: [sink], timeoutMs: 20 });
    const aborted: number[] = [];
    sink.trouble = (batch, signal) =>
      batch.length < 3 || new Promise(() => signal.addEventListener('abort', () => aborted.push(batch.length)));
    await say(kit, ...many(8));
    await until(async () => sink.taken.length === 8);
    expect([aborted, ids(sink.taken)]).toEqual([[8, 4], many(8).map(({ id }) => id)]);
  });

  test('ends promptly when the process stops', async () => {
    const sink = testSink('stuck');
    const kit = await openRunner({ stages: [sayer], sinks: [sink] });
    let isAborted = false;
    sink.trouble = (_, signal) => new Promise(() => signal.addEventListener('abort', () => (isAborted = true)));
    await say(kit, created('A'));
    await until(async () => sink.given.length === 1);
    await kit.close();
    expect(isAborted).toBe(true);
  });
});

describe('a paused sink', () => {
  test('takes nothing until it goes on, and loses nothing', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    kit.sinks.loops[0]!.pause(PAUSE);
    await say(kit, created('A'));
    await kit.sinks.idle();
    expect([sink.taken, lagOf(kit)]).toEqual([[], 1]);
    kit.sinks.loops[0]!.pause(null);
    await until(async () => sink.taken.length === 1);
  });
});

describe('the outbox', () => {
  test('keeps what some sink has not taken, and nothing else', async () => {
    const [quick, stuck] = [testSink('quick'), testSink('stuck')];
    const kit = await open({ sinks: [quick, stuck] });
    stuck.trouble = () => {
      throw new Fault('unavailable', 'down');
    };
    await say(kit, created('A'));
    await kit.sinks.idle();
    await kit.sinks.tidy();
    expect(rows(kit)).toBe(1);
    stuck.trouble = null;
    await until(async () => stuck.taken.length === 1);
    await until(async () => {
      await kit.sinks.tidy();
      return rows(kit) === 0;
    });
  });

  test('loses what is older than 7 days, which is counted', async () => {
    const sink = testSink('stuck');
    const counted: [string, number][] = [];
    const metrics = { count: (name: string, _: unknown, by = 1) => counted.push([name, by]), gauge() {}, observe() {} };
    const kit = await open({ sinks: [sink], metrics });
    kit.sinks.loops[0]!.pause(PAUSE);
    await say(kit, created('A'), created('B'));
    kit.clock.advance(7 * 24 * 3_600_000);
    await say(kit, created('C'));
    await kit.sinks.tidy();
    expect(counted.filter(([name]) => name.includes('outbox'))).toEqual([]);
    kit.clock.advance(1);
    // While the clock is not sure nothing counts as old.
    await kit.sinks.tidy(false);
    expect(rows(kit)).toBe(2);
    await kit.sinks.tidy();
    expect(counted.filter(([name]) => name.includes('outbox'))).toEqual([['faultline_outbox_dropped_total', 2]]);
    kit.sinks.loops[0]!.pause(null);
    await until(async () => ids(sink.taken).join() === 'C');
  });

  test('forgets what it says of a tenant that is deleted, and keeps the rest', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    kit.sinks.loops[0]!.pause(PAUSE);
    await say(kit, created('A'), created('B', 'gone'), created('C'), created('D', 'gone'));
    await openTenantPurge(kit.database, kit.tables, { drop: () => {} }).purge('gone');
    kit.sinks.loops[0]!.pause(null);
    await kit.sinks.idle();
    expect([ids(sink.taken), lagOf(kit)]).toEqual([['A', 'C'], 0]);
  });

  test('has one row per batch', async () => {
    const sink = testSink('one');
    const kit = await open({ sinks: [sink] });
    kit.sinks.loops[0]!.pause(PAUSE);
    await say(kit, ...many(700));
    await kit.database.applied();
    expect(rows(kit)).toBe(1);
  });

  test('numbers go on after all rows are gone and the process has started anew', async () => {
    const [path, sink] = [directory(), testSink('one')];
    const first = await openRunner({ stages: [sayer], sinks: [sink], path });
    await say(first, created('A'));
    await first.sinks.idle();
    await until(async () => {
      await first.sinks.tidy();
      return rows(first) === 0;
    });
    await first.close();
    const second = await open({ sinks: [sink], path });
    await say(second, created('B'));
    await second.sinks.idle();
    expect(ids(sink.taken)).toEqual(['A', 'B']);
  });
});
