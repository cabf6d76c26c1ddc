import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { type EventWorld, NOW, openEventWorld } from '#test/setup/event-world.ts';
import { manualEvery } from '#test/setup/manual-every.ts';
import { until } from '#test/setup/until.ts';
import { type Job, type JobWork, openWork } from './job.ts';
import { LEASE_MS, openLeases } from './records/leases.ts';
import { openJobRunner, STOP_MS } from './run-jobs.ts';

const PERIOD = 7_000;
const TIMEOUT = 600_000;

let world: EventWorld;
beforeEach(async () => {
  world = await openEventWorld();
});
afterEach(() => world.close());

/** Ports of one of several processes. */
const oneOfSeveral = (): Ports => ({ ...world.ports, leases: openLeases(world.ports, { isAlone: false }) });

/** A job whose runs end on command of the test, in a process of its own. */
const openProcess = (over: Partial<Job> = {}, ports: Ports = oneOfSeveral()) => {
  const { clock } = world;
  const timers = manualEvery();
  const { metrics, text } = openMetrics({ version: '0', mode: 'test', node: '0' }, { name: ['sweep'] });
  const lines: object[] = [];
  const write = (fields: object) => void lines.push(fields);
  const runs: { readonly isStopping: () => boolean; end(error?: Error): void }[] = [];
  const job: Job = {
    name: 'sweep',
    everyMs: PERIOD,
    runsIn: 'api',
    timeoutMs: TIMEOUT,
    run: (_, isStopping) =>
      new Promise((resolve, reject) => {
        runs.push({ isStopping, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    ...over,
  };
  const log = { error: write, warn: write };
  const runner = openJobRunner({ jobs: [job], clock, now: clock.now, every: timers.every, metrics, log });
  const clockWatch = { isSettled: () => true, tick: async () => undefined };
  runner.start(openWork({ ports, clockWatch } as unknown as JobWork));
  const report = () => runner.reports()[0]!;
  const outcome = () => report().last?.outcome ?? null;
  /** A period passes, and the run that begins has begun. */
  const begin = async () => {
    const before = runs.length;
    clock.advance(PERIOD);
    timers.pass(PERIOD);
    await until(async () => runs.length > before);
    return runs.at(-1)!;
  };
  const ended = () => until(async () => report().runningSince === null);
  const measured = async (series: string) => (await text()).split('\n').filter((line) => line.startsWith(series));
  return { runner, timers, runs, lines, begin, ended, report, outcome, measured, clockWatch };
};

describe('a job', () => {
  test('runs first after one period, and every period again', async () => {
    const { runs, report, begin, ended } = openProcess();
    expect([runs.length, report()]).toEqual([
      0,
      { name: 'sweep', everyMs: PERIOD, last: null, lastSuccessAt: null, runningSince: null, nextAt: NOW + PERIOD },
    ]);
    const first = await begin();
    expect(report()).toMatchObject({ runningSince: NOW + PERIOD, nextAt: NOW + 2 * PERIOD });
    world.clock.advance(20);
    first.end();
    await ended();
    expect(report()).toMatchObject({
      last: { at: NOW + PERIOD, outcome: 'done', durationMs: 20, error: null },
      lastSuccessAt: NOW + PERIOD,
    });
    await begin();
    expect(runs).toHaveLength(2);
  });

  test('may run at the start, too', () => {
    expect(openProcess({ atStart: true }).runs).toHaveLength(1);
  });

  test('never runs twice at once: a turn that comes meanwhile is left out', async () => {
    const { timers, runs, begin, ended } = openProcess();
    const { end } = await begin();
    timers.pass(PERIOD);
    timers.pass(PERIOD);
    expect(runs).toHaveLength(1);
    end();
    await ended();
    await begin();
    expect(runs).toHaveLength(2);
  });

  test('that fails is logged by its name, is counted and goes on', async () => {
    const { lines, begin, ended, report, measured } = openProcess();
    expect(await measured('faultline_job_runs_total')).toEqual(
      ['done', 'failed', 'late', 'elsewhere', 'paused'].map(
        (outcome) => `faultline_job_runs_total{name="sweep",outcome="${outcome}"} 0`,
      ),
    );
    const error = new Error('no');
    (await begin()).end(error);
    await ended();
    expect(lines).toEqual([{ err: error, job: 'sweep' }]);
    expect(report()).toMatchObject({ last: { outcome: 'failed', error: 'Error: no' }, lastSuccessAt: null });
    (await begin()).end();
    await ended();
    expect(report().lastSuccessAt).toBe(NOW + 2 * PERIOD);
    expect(await measured('faultline_job_runs_total')).toContain(
      'faultline_job_runs_total{name="sweep",outcome="failed"} 1',
    );
    expect(await measured('faultline_job_seconds_count')).toEqual(['faultline_job_seconds_count{name="sweep"} 2']);
    expect(await measured('faultline_job_period')).toEqual(['faultline_job_period_seconds{name="sweep"} 7']);
  });

  test('that throws at once is a failed one', async () => {
    const { timers, ended, outcome } = openProcess({
      run: () => {
        throw new Error('no');
      },
    });
    timers.pass(PERIOD);
    await ended();
    expect(outcome()).toBe('failed');
  });

  test('succeeded last at the start of its run, and before the first at the start of the process', async () => {
    const { begin, ended, measured } = openProcess();
    const last = async () => (await measured('faultline_job_last_success'))[0]?.split(' ')[1];
    (await begin()).end(new Error('no'));
    await ended();
    expect(await last()).toBe(String(NOW / 1_000));
    (await begin()).end();
    await ended();
    expect(await last()).toBe(String((NOW + 2 * PERIOD) / 1_000));
  });

  test('that takes too long is told to stop and counts once, and the next run waits for its end', async () => {
    const { timers, runs, lines, begin, ended, outcome, measured } = openProcess();
    const { isStopping, end } = await begin();
    expect(isStopping()).toBe(false);
    timers.pass(TIMEOUT);
    expect([isStopping(), outcome(), lines.length]).toEqual([true, 'late', 1]);
    timers.pass(PERIOD);
    expect(runs).toHaveLength(1);
    end(new Error('stopped'));
    await ended();
    expect([outcome(), lines.length, timers.running()]).toEqual(['late', 1, [PERIOD]]);
    expect(await measured('faultline_job_runs_total{name="sweep",outcome="late"}')).toEqual([
      'faultline_job_runs_total{name="sweep",outcome="late"} 1',
    ]);
  });
});

describe('a job with a lease', () => {
  const LEASED = { isLeased: true } as const;
  const openTwo = () => [openProcess(LEASED), openProcess(LEASED)] as const;

  test('is left to the process that has it, between its runs as well', async () => {
    const [one, other] = openTwo();
    const { end } = await one.begin();
    other.timers.pass(PERIOD);
    await until(async () => other.outcome() === 'elsewhere');
    end();
    await one.ended();
    other.timers.pass(PERIOD);
    await other.ended();
    expect([one.outcome(), other.outcome(), other.runs.length]).toEqual(['done', 'elsewhere', 0]);
    expect(other.report().lastSuccessAt).toBeNull();
  });

  test('is taken over when its process stops', async () => {
    const [one, other] = openTwo();
    (await one.begin()).end();
    await one.runner.stop();
    (await other.begin()).end();
    await other.ended();
    expect(other.outcome()).toBe('done');
  });

  test('is taken over when its process is gone', async () => {
    const [one, other] = openTwo();
    (await one.begin()).end();
    await one.ended();
    other.timers.pass(PERIOD);
    await until(async () => other.outcome() === 'elsewhere');
    world.clock.advance(2 * LEASE_MS);
    await other.begin();
    expect(other.runs).toHaveLength(1);
  });

  test('is renewed while it runs', async () => {
    const [one, other] = openTwo();
    const { isStopping } = await one.begin();
    const revision = async () => (await world.ports.records.get(SYSTEM_TENANT, 'job-lease', 'sweep'))?.revision ?? 0;
    for (let n = 0; n < 4; n++) {
      const before = await revision();
      world.clock.advance(LEASE_MS / 2);
      one.timers.pass(LEASE_MS / 2);
      await until(async () => (await revision()) > before);
    }
    other.timers.pass(PERIOD);
    await until(async () => other.outcome() === 'elsewhere');
    expect(isStopping()).toBe(false);
  });

  test('is told to stop when another process has it by now', async () => {
    const { begin, timers, ended, outcome } = openProcess(LEASED);
    const { isStopping, end } = await begin();
    const { leases } = oneOfSeveral();
    const take = () => leases.take({ kind: 'job-lease', id: 'sweep' }, 'another', LEASE_MS);
    expect(await take()).toBeNull();
    world.clock.advance(2 * LEASE_MS);
    expect(await take()).not.toBeNull();
    timers.pass(LEASE_MS / 2);
    await until(async () => isStopping());
    end();
    await ended();
    expect(outcome()).toBe('elsewhere');
  });
});

describe('a job that runs seldom', () => {
  const HOUR = 3_600_000;
  const SELDOM = { isLeased: true, everyMs: HOUR, timeoutMs: HOUR } as const;
  /** It begins at the start, or not. */
  const started = async (ports?: Ports) => {
    const process = openProcess(SELDOM, ports);
    await until(async () => process.timers.running().length > 1).catch(() => undefined);
    const [first = HOUR] = process.timers.running();
    return { ...process, first };
  };
  const ran = async (process: Awaited<ReturnType<typeof started>>) => {
    process.timers.pass(process.first);
    await until(async () => process.runs.length > 0 || process.report().last !== null);
    process.runs[0]?.end();
    await process.ended();
  };

  test('is due soon after the first start, and after each later one a period after its last run', async () => {
    const first = await started();
    expect(first.first).toBe(15_000);
    world.clock.advance(first.first);
    await ran(first);
    expect(first.outcome()).toBe('done');
    await first.runner.stop();
    for (const passed of [600_000, 1_200_000]) {
      world.clock.advance(passed);
      const next = await started();
      expect([next.first, next.report().nextAt]).toEqual([expect.any(Number), NOW + 15_000 + HOUR]);
      await next.runner.stop();
    }
    world.clock.advance(HOUR);
    expect((await started()).first).toBe(15_000);
  });

  test('is due at the start when its run was cut short, or dated by a clock that was ahead', async () => {
    const cut = await started();
    cut.timers.pass(cut.first);
    await until(async () => cut.runs.length > 0);
    const stopping = cut.runner.stop();
    cut.runs[0]!.end();
    await stopping;
    expect((await started()).first).toBe(15_000);
    await world.ports.records.put(SYSTEM_TENANT, 'job-run', 'sweep', { at: NOW + 30 * 24 * HOUR, owner: 'a' });
    expect((await started()).first).toBe(15_000);
  });

  test('is done once in a period by several processes, and by its own timer every time', async () => {
    const [one, other] = [await started(), await started()];
    await ran(one);
    await ran(other);
    expect([one.outcome(), other.outcome(), other.runs.length]).toEqual(['done', 'elsewhere', 0]);
    one.timers.pass(HOUR);
    await until(async () => one.runs.length === 2);
    one.runs[1]!.end();
    await one.ended();
    world.clock.advance(HOUR);
    other.timers.pass(HOUR);
    await until(async () => other.runs.length === 1);
  });

  test('is not held up by a process that died in the middle, alone on the store', async () => {
    const dead = await started(world.ports);
    dead.timers.pass(dead.first);
    await until(async () => dead.runs.length > 0);
    const leases = openLeases(world.ports, { isAlone: true });
    const next = await started({ ...world.ports, leases });
    await ran(next);
    expect(next.outcome()).toBe('done');
  });
});

test('a job that needs the clock does not run while that is not sure, which is no failure', async () => {
  const { timers, runs, report, clockWatch, measured, begin } = openProcess({ needsClock: true });
  clockWatch.isSettled = () => false;
  timers.pass(PERIOD);
  await until(async () => report().last !== null);
  expect([runs.length, report().last]).toMatchObject([0, { outcome: 'paused', error: null }]);
  expect(await measured('faultline_job_runs_total{name="sweep",outcome="paused"}')).toEqual([
    'faultline_job_runs_total{name="sweep",outcome="paused"} 1',
  ]);
  clockWatch.isSettled = () => true;
  await begin();
  expect(runs).toHaveLength(1);
});

describe('stop', () => {
  test('tells running jobs, waits for them, and lets none follow', async () => {
    const { runner, timers, runs, begin } = openProcess();
    const { isStopping, end } = await begin();
    let stopped = false;
    const stopping = runner.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isStopping(), stopped]).toEqual([true, false]);
    end();
    await stopping;
    timers.pass(PERIOD);
    expect([runs.length, timers.running()]).toEqual([1, []]);
  });

  test('waits half a minute at most, and names who still runs', async () => {
    const { runner, timers, lines, begin } = openProcess();
    await begin();
    const stopping = runner.stop();
    timers.pass(STOP_MS);
    await stopping;
    expect(lines).toEqual([{ jobs: ['sweep'] }]);
  });
});
