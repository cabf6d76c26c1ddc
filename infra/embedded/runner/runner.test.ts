import { afterEach, describe, expect, test } from '@jest/globals';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { RowChanges } from '#infra/embedded/redo-log/statements.ts';
import { pipeline } from '#processors/pipeline.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { diskFull, type KitOptions, NOON, occurs, openRunner, type RunnerKit, ulidOf } from '#test/setup/runner-kit.ts';

const opened: RunnerKit[] = [];
const open = async (options: KitOptions = {}): Promise<RunnerKit> => {
  const kit = await openRunner(options);
  opened.push(kit);
  return kit;
};
afterEach(async () => {
  for (const kit of opened.splice(0)) await kit.close();
});

const submit = ({ runner }: RunnerKit, ...records: Incoming[]) => runner.submit('t', records, 5_000);
const outcomes = async (kit: RunnerKit, ...records: Incoming[]) =>
  (await submit(kit, ...records)).map((receipt) => (receipt.ok ? receipt.outcome : receipt.fault));
/** Resolves when the runner accepts records again. */
const running = async ({ runner }: RunnerKit) => {
  for (let tries = 0; runner.status.state !== 'running'; tries++) {
    if (tries > 2_000) throw new Error(`still ${runner.status.state}: ${runner.status.lastError}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};
const once = (error: () => Error) => {
  let left = 1;
  return () => {
    if (left-- > 0) throw error();
  };
};
const isAbout = (id: string) => (changes: RowChanges) => JSON.stringify(changes.values).includes(ulidOf(id));
const refused = (...answers: Promise<unknown>[]) =>
  Promise.all(
    answers.map((answer) =>
      expect(answer).rejects.toMatchObject({ kind: 'unavailable', retryAfter: expect.any(Number) }),
    ),
  );

describe('a store that fails', () => {
  test('refuses what waits, acknowledges nothing, and recovers by itself with memory equal to the file', async () => {
    const kit = await open();
    expect(await outcomes(kit, occurs({ id: '1' }))).toEqual(['created']);
    let full = true;
    const fail = () => {
      if (full) throw diskFull();
    };
    kit.faults.commit = fail;
    kit.faults.probe = fail;
    const lost = [submit(kit, occurs({ id: '2' })), submit(kit, occurs({ id: '3', hostname: 'other' }))];
    await refused(...lost);
    expect(kit.runner.status).toMatchObject({ state: 'failed', lastError: expect.stringContaining('full') });
    await refused(submit(kit, occurs({ id: '4' })));
    await kit.runner.idle();
    full = false;
    await running(kit);
    expect(kit.event(ulidOf('1'))?.count).toBe(1);
    expect(await outcomes(kit, occurs({ id: '5' }), occurs({ id: '6', hostname: 'other' }))).toEqual([
      'duplicate_updated',
      'created',
    ]);
    expect([kit.event(ulidOf('1'))?.count, kit.event(ulidOf('3'))]).toEqual([2, undefined]);
  });

  test('can be stopped while it is down', async () => {
    const kit = await open();
    kit.faults.commit = diskFullAlways;
    kit.faults.probe = diskFullAlways;
    const lost = submit(kit, occurs({ id: '1' }));
    const stopped = kit.runner.stop();
    await refused(lost);
    await stopped;
    expect(kit.runner.status.state).toBe('stopped');
  });

  test('really full, as SQLite says it', async () => {
    const kit = await open();
    const pages = (kit.database.db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count;
    kit.database.db.exec(`PRAGMA max_page_count = ${pages + 1}`);
    const many = Array.from({ length: 50 }, (_, n) =>
      occurs({ id: `${n}`, hostname: `h${n}`, description: 'x'.repeat(2_000) }),
    );
    await refused(submit(kit, ...many));
    expect(kit.database.db.prepare('SELECT count(*) AS n FROM event').get()).toEqual({ n: 0 });
    kit.database.db.exec('PRAGMA max_page_count = 1073741823');
    await running(kit);
    expect(await outcomes(kit, ...many)).toEqual(many.map(() => 'created'));
  });

  test('in the middle of finding a bad record refuses all that were not answered, and comes back once', async () => {
    const kit = await open();
    let commits = 0;
    kit.faults.commit = () => {
      commits += 1;
      if (commits === 1) throw new Error('bad content');
      if (commits === 3) throw diskFull();
    };
    const bulk = (ids: string[]) => submit(kit, ...ids.map((id) => occurs({ id, hostname: id })));
    await refused(bulk(['a1', 'a2']), bulk(['b1', 'b2']), bulk(['c1', 'c2']));
    await running(kit);
    // The batch, its first two records alone, and the probe.
    expect(commits).toBe(4);
    expect(kit.runner.status).toMatchObject({ lastError: null, waiting: 0 });
    expect(await outcomes(kit, occurs({ id: 'a3', hostname: 'a1' }))).toEqual(['duplicate_updated']);
  });
});
const diskFullAlways = (): never => {
  throw diskFull();
};

describe('a record that cannot be stored', () => {
  test('is set aside with its reason while the others of its batch succeed', async () => {
    const kit = await open();
    const isBad = isAbout('bad');
    kit.faults.commit = (changes) => {
      if (isBad(changes)) throw new Error('CHECK constraint failed: event');
    };
    const bulk = submit(kit, ...['1', 'bad', '2'].map((id) => occurs({ id, hostname: id })));
    const beside = submit(kit, occurs({ id: '3', hostname: '1' }));
    expect((await bulk).map((receipt) => receipt.ok)).toEqual([true, false, true]);
    expect(await beside).toMatchObject([{ ok: true }]);
    expect(kit.rejected()).toMatchObject([
      {
        processor: 'store',
        topic: eventsIncoming,
        reason: 'CHECK constraint failed: event',
        content: { kind: 'json', record: { ask: { kind: 'occurred' } } },
      },
    ]);
    await running(kit);
    expect(await outcomes(kit, occurs({ id: '4', hostname: '2' }))).toEqual(['duplicate_updated']);
    expect(kit.event(ulidOf('2'))?.count).toBe(2);
  });

  test('holds back what arrives meanwhile or refuses it, but never works on memory that is ahead of the file', async () => {
    const kit = await open();
    const isBad = isAbout('bad');
    kit.faults.commit = (changes) => {
      if (isBad(changes)) throw new Error('bad content');
    };
    kit.faults.slowRestore = 5;
    const bulk = Array.from({ length: 40 }, (_, n) =>
      occurs({ id: n === 20 ? 'bad' : `b${n}`, hostname: `h${n % 7}` }),
    );
    const answers = [submit(kit, ...bulk)];
    for (let turn = 0; turn < 200; turn++) {
      const single = occurs({ id: `s${turn}`, hostname: `n${turn % 30}` });
      answers.push(submit(kit, single).catch(() => []));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const acknowledged = (await Promise.all(answers)).flat().filter((receipt) => receipt.ok).length;
    await kit.runner.idle();
    const sum = kit.database.db.prepare('SELECT sum(count) AS n FROM tally').get() as { n: number };
    expect(sum.n).toBe(acknowledged);
    const twice = kit.database.db.prepare('SELECT identity FROM event GROUP BY identity HAVING count(*) > 1').all();
    expect(twice).toEqual([]);
  });

  test('that a step cannot handle becomes a dead letter with an error receipt', async () => {
    const [dedup, ...rest] = pipeline;
    const failing = {
      ...dedup,
      step(...args: Parameters<Extract<typeof dedup, { kind: 'fold' }>['step']>) {
        if (JSON.stringify(args[1]).includes(ulidOf('bad'))) throw new Error('cannot step');
        (dedup as Extract<typeof dedup, { kind: 'fold' }>).step(...args);
      },
    } as typeof dedup;
    const kit = await open({ stages: [failing as NonNullable<typeof dedup>, ...rest] });
    expect(await outcomes(kit, occurs({ id: '1' }), occurs({ id: 'bad' }), occurs({ id: '2' }))).toEqual([
      'created',
      'internal',
      'duplicate_updated',
    ]);
    expect(kit.rejected()).toMatchObject([{ processor: 'dedup', reason: 'cannot step' }]);
  });
});

describe('while a batch is being committed', () => {
  const turns = async (n: number) => {
    for (let turn = 0; turn < n; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Many enough not to wait for company. */
  const bulk = (name: string, hosts = 20) =>
    Array.from({ length: hosts }, (_, n) => occurs({ id: `${name}${n}`, hostname: `h${n}` }));
  /** Two batches in flight, the second a repeat of the first. */
  const twoInFlight = async (options: KitOptions = {}) => {
    const kit = await open(options);
    kit.faults.hold = true;
    const first = submit(kit, ...bulk('a'));
    await turns(3);
    const second = submit(kit, ...bulk('b'));
    await turns(3);
    return { kit, first, second, third: submit(kit, ...bulk('c')) };
  };
  const all = (outcome: string) => Array.from({ length: 20 }, () => expect.objectContaining({ outcome }));

  test('the next one sees what is in flight, readers see what is committed, and nobody is answered before', async () => {
    const { kit, first, second, third } = await twoInFlight();
    const answered: string[] = [];
    for (const [name, answer] of Object.entries({ first, second, third })) answer.then(() => answered.push(name));
    await turns(5);
    expect(answered).toEqual([]);
    expect([kit.event(ulidOf('a0')), kit.runner.status.waiting]).toEqual([undefined, 20]);
    kit.release();
    expect([await first, await second, await third]).toEqual([
      all('created'),
      all('duplicate_updated'),
      all('duplicate_updated'),
    ]);
    expect(answered).toEqual(['first', 'second', 'third']);
    expect(kit.event(ulidOf('a0'))?.count).toBe(3);
  });

  test('a failure refuses what follows it, too, and leaves nothing of either', async () => {
    const { kit, first, second, third } = await twoInFlight();
    kit.faults.commit = once(diskFull);
    kit.release();
    await refused(first, second, third);
    await running(kit);
    expect(kit.database.db.prepare('SELECT count(*) AS n FROM event').get()).toEqual({ n: 0 });
    expect(await submit(kit, ...bulk('d'))).toEqual(all('created'));
  });

  test('a failure of the second leaves the first acknowledged', async () => {
    const { kit, first, second, third } = await twoInFlight();
    let commits = 0;
    kit.faults.commit = () => {
      if (++commits === 2) throw diskFull();
    };
    kit.release();
    const refusals = refused(second, third);
    expect(await first).toEqual(all('created'));
    await refusals;
    await running(kit);
    expect(kit.event(ulidOf('a0'))?.count).toBe(1);
    expect(await submit(kit, ...bulk('d'))).toEqual(all('duplicate_updated'));
  });

  test('a bad record in it takes nothing else along', async () => {
    const { kit, first, second } = await twoInFlight();
    const isBad = isAbout('a7');
    kit.faults.commit = (changes) => {
      if (isBad(changes)) throw new Error('bad content');
    };
    kit.release();
    expect((await first).map(({ ok }) => ok)).toEqual(bulk('a').map((_, n) => n !== 7));
    // The host of the bad record is met for the first time by the second batch.
    expect((await second).map((receipt) => receipt.ok && receipt.outcome)).toEqual(
      bulk('b').map((_, n) => (n === 7 ? 'created' : 'duplicate_updated')),
    );
    expect(kit.rejected()).toHaveLength(1);
  });

  test('a kill loses nothing that was answered', async () => {
    const directory = temporaryDirectory();
    try {
      const { kit, first, second, third } = await twoInFlight({ path: directory.path });
      kit.faults.commit = () => {
        kit.faults.commit = diskFullAlways;
      };
      kit.release();
      const refusals = refused(second, third);
      expect(await first).toEqual(all('created'));
      await refusals;
      await kit.kill();
      const again = await open({ path: directory.path });
      expect(await submit(again, ...bulk('d'))).toEqual(all('duplicate_updated'));
      expect(again.event(ulidOf('a0'))?.count).toBe(2);
      await again.close();
      await kit.runner.stop();
      opened.length = 0;
    } finally {
      directory.remove();
    }
  });
});

describe('the queue', () => {
  test('is bounded: what does not fit is refused at once', async () => {
    const kit = await open();
    const record = occurs({ id: '1' });
    const large = submit(kit, ...Array.from({ length: 49_999 }, () => record));
    const fits = submit(kit, record);
    await refused(submit(kit, record));
    expect((await large).length + (await fits).length).toBe(50_000);
    expect(kit.event(ulidOf('1'))?.count).toBe(50_000);
  }, 60_000);

  test('forgets what waited too long, and says so', async () => {
    const kit = await open();
    const waiting = kit.runner.submit('t', [occurs({ id: '1' })], 0);
    const end = performance.now() + 5;
    while (performance.now() < end);
    await refused(waiting);
    await kit.runner.idle();
    expect(kit.event(ulidOf('1'))).toBeUndefined();
  });

  test('is drained by stop, and nothing is taken in afterwards', async () => {
    const kit = await open();
    const waiting = Array.from({ length: 30 }, (_, n) => submit(kit, occurs({ id: `${n}`, hostname: `h${n}` })));
    await kit.runner.stop();
    expect((await Promise.all(waiting)).flat()).toHaveLength(30);
    await refused(submit(kit, occurs({ id: 'x' })));
    expect(kit.database.db.prepare('SELECT count(*) AS n FROM event').get()).toEqual({ n: 30 });
  });
});

test('a kill between the commit and the answer counts nothing twice when the delivery comes again', async () => {
  const directory = temporaryDirectory();
  try {
    const kit = await openRunner({ path: directory.path });
    kit.faults.afterCommit = once(diskFull);
    const record = occurs({ id: '1', delivery: 'message-1' });
    await refused(submit(kit, record));
    await kit.kill();
    await kit.runner.stop();
    const again = await open({ path: directory.path });
    expect(await submit(again, { ...record, receivedAt: NOON + 1 })).toMatchObject([{ outcome: 'created', count: 1 }]);
    expect(again.event(ulidOf('1'))?.count).toBe(1);
    await again.close();
    opened.length = 0;
  } finally {
    directory.remove();
  }
});

test('what a person did is measured once, and not again after a kill', async () => {
  const directory = temporaryDirectory();
  const measured: [string, number][] = [];
  const observe: Metrics['observe'] = (name, _labels, seconds) => {
    if (/_(acknowledge|resolve)_seconds$/.test(name)) measured.push([name, seconds]);
  };
  const metrics = { count: () => {}, gauge: () => {}, observe };
  try {
    const kit = await openRunner({ path: directory.path, metrics });
    await submit(kit, occurs({ id: '1' }));
    const by = { id: 'u1', username: 'kim', name: 'Kim' };
    const ask = { kind: 'status-set', eventId: ulidOf('1'), status: 'acknowledged', by } as const;
    const acknowledged = { ask, receivedAt: NOON + 90_000 };
    expect(await submit(kit, acknowledged)).toMatchObject([{ outcome: 'acknowledged' }]);
    await submit(kit, acknowledged);
    await kit.kill();
    await kit.runner.stop();
    const again = await open({ path: directory.path, metrics });
    await submit(again, acknowledged);
    expect(measured).toEqual([['faultline_acknowledge_seconds', 90]]);
    await again.close();
    opened.length = 0;
  } finally {
    directory.remove();
  }
});

test('each new event is measured once, from its receipt to its decision, whether it joins or not', async () => {
  const measured: number[] = [];
  const observe: Metrics['observe'] = (name, _labels, seconds) => {
    if (name === 'faultline_accepted_to_correlated_seconds') measured.push(seconds);
  };
  const kit = await open({ metrics: { count: () => {}, gauge: () => {}, observe } });
  kit.clock.advance(2_000);
  await submit(kit, occurs({ id: '1', hostname: 'alone' }));
  await submit(kit, occurs({ id: '2', hostname: 'alone' }));
  await submit(kit, occurs({ id: '3', hostname: 'other' }), occurs({ id: '4', hostname: 'another' }));
  expect(measured).toEqual([2, 2, 2]);
});

test('records are counted as waiting until a batch takes them, and as unanswered until it is durable', async () => {
  const kit = await open();
  const answers = [submit(kit, occurs({ id: '1' }), occurs({ id: '2' })), submit(kit, occurs({ id: '3' }))];
  expect(kit.runner.status).toMatchObject({ waiting: 3, unanswered: 3 });
  while (kit.runner.status.waiting > 0) await new Promise(setImmediate);
  expect(kit.runner.status.unanswered).toBe(3);
  await Promise.all(answers);
  expect(kit.runner.status).toMatchObject({ waiting: 0, unanswered: 0, admissions: 0 });
});
