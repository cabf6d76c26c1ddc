import { describe, expect, test } from '@jest/globals';
import { placeRecord, queueOf } from '#application/tasks/places.ts';
import type { TaskOptions } from '#application/tasks/task.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { REPORT_KINDS, type Report } from '#features/reports/rules/report.ts';
import { choose } from '#features/reports/rules/templates/chosen.ts';
import { dropFile } from '#features/reports/use-cases/report-file.ts';
import { findReport, putReport } from '#features/reports/use-cases/report-records.ts';
import { oneOfSeveral, openRecordWorld, TENANT } from '#test/setup/record-world.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { until } from '#test/setup/until.ts';
import { reportTasks, reportTasksOf } from './report-tasks.ts';

const DAY_MS = 86_400_000;
type Render = Ports['documents']['render'];

/** Three chunks; what is written is not of interest here. */
const FILE = new Uint8Array(300_000).map((_, n) => n % 251);
const write: Render = async () => FILE;
/** Never done; gives up when it is told to. */
const hang: Render = (_document, _format, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Fault('unavailable', 'The report was canceled')), { once: true });
  });

function openWorld(render: Render = write) {
  const world = openRecordWorld();
  const ports = {
    ...world.ports,
    documents: { render },
    eventAggregates: { aggregate: async () => ({ buckets: [], truncated: false }) },
    deadline: { without: <T>(work: () => T): T => work() },
  } as unknown as Ports;
  return { ...world, ports, [Symbol.dispose]: () => world[Symbol.dispose]() };
}

/** Asks for a report as the endpoint does. */
async function ask({ records, clock, ids }: Ports, tenant = TENANT): Promise<string> {
  const now = clock.now();
  const report: Report = {
    id: ids.ulid(),
    template: 'ci-inventory',
    parameters: {},
    format: 'csv',
    shared: false,
    category: 'x',
    chosen: choose('ci-inventory', {}, { now, zone: 'UTC' }),
    delivery: { method: 'download', recipients: [], outcome: 'pending' },
    by: { id: 'ann', username: 'ann', name: 'Ann' },
    requestedAt: now,
    status: 'generating',
    step: 'waiting',
    completedAt: null,
    error: null,
    file: null,
  };
  const place = placeRecord(reportTasks, { tenant, id: report.id, at: now });
  await putReport(records, tenant, report, { expected: 0, sideRecords: [place] });
  return report.id;
}

const maker = (ports: Ports, { mostMs = 60_000, ...options }: Partial<TaskOptions & { mostMs: number }> = {}) =>
  runnerOf(reportTasksOf(mostMs), ports, options);

const reportOf = async ({ records }: Ports, id: string): Promise<Report | undefined> =>
  (await findReport(records, TENANT, id))?.body;
const chunksOf = async ({ records }: Ports) => records.list(TENANT, REPORT_KINDS.chunk, { limit: 100 });
const queued = async ({ records }: Ports) => records.list(SYSTEM_TENANT, queueOf(reportTasks), { limit: 200 });

/** A process that is killed at its n-th write; later ones change nothing either. */
function mortal(ports: Ports, n: number): Ports {
  let writes = 0;
  const { records } = ports;
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes >= n) throw new Fault('unavailable', 'killed');
    return work();
  };
  const put: Ports['records']['put'] = (...given) => alive(() => records.put(...given));
  const remove: Ports['records']['remove'] = (...given) => alive(() => records.remove(...given));
  return { ...ports, records: { ...records, put, remove } };
}

describe('A report in the background', () => {
  test('is made, kept in pieces for seven days, and waits no longer', async () => {
    using world = openWorld();
    const { ports, clock } = world;
    const id = await ask(ports);
    await maker(ports).tick();
    const report = (await reportOf(ports, id))!;
    expect(report).toMatchObject({ status: 'completed', step: null, file: { turn: 1, chunks: 3, bytes: 300_000 } });
    const stored = (await chunksOf(ports)).map(({ body }) => Buffer.from((body as { data: string }).data, 'base64'));
    expect(Buffer.concat(stored).equals(FILE)).toBe(true);
    expect(await queued(ports)).toEqual([]);
    clock.advance(7 * DAY_MS - 1);
    expect(await reportOf(ports, id)).toBeDefined();
    clock.advance(1);
    expect([await reportOf(ports, id), (await chunksOf(ports)).length]).toEqual([undefined, 0]);
  });

  test('whose process dies at any write is made by the next one', async () => {
    for (let n = 1; n <= 9; n++) {
      using world = openWorld();
      const { ports } = world;
      const id = await ask(ports);
      await maker(mortal(ports, n))
        .tick()
        .catch(() => undefined);
      await maker(ports).tick();
      const report = (await reportOf(ports, id))!;
      expect([n, report.status, await queued(ports)]).toEqual([n, 'completed', []]);
      await dropFile(ports.records, TENANT, report, report.file!);
      // What is left is of turns that never ended, and goes by itself.
      expect((await chunksOf(ports)).every((chunk) => chunk.id.startsWith(`${id}/`))).toBe(true);
    }
  });

  test('that dies three times has failed', async () => {
    using world = openWorld();
    const { ports } = world;
    const id = await ask(ports);
    for (let times = 0; times < 3; times++)
      await maker(mortal(ports, 3))
        .tick()
        .catch(() => undefined);
    await maker(ports).tick();
    const error = 'Failed after 3 attempts';
    expect(await reportOf(ports, id)).toMatchObject({ status: 'failed', error, step: null });
    expect(await queued(ports)).toEqual([]);
  });

  test('is one of two at a time', async () => {
    let [now, most] = [0, 0];
    using world = openWorld(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      return FILE;
    });
    const { ports } = world;
    const ids = await Promise.all(Array.from({ length: 6 }, () => ask(ports)));
    const reports = maker(ports);
    await Promise.all([reports.tick(), reports.tick(), reports.tick()]);
    expect(most).toBe(2);
    for (const id of ids) expect((await reportOf(ports, id))?.status).toBe('completed');
  });

  test('that was asked for while another is made needs not wait for it', async () => {
    const rendered: (() => void)[] = [];
    using world = openWorld(
      () =>
        new Promise((resolve) => {
          rendered.push(() => resolve(FILE));
        }),
    );
    const { ports } = world;
    const reports = maker(ports);
    await ask(ports);
    reports.ring();
    await until(async () => rendered.length === 1);
    const second = await ask(ports);
    reports.ring();
    await until(async () => rendered.length === 2);
    rendered[1]!();
    await until(async () => (await reportOf(ports, second))?.status === 'completed');
    rendered[0]!();
    await reports.idle();
  });

  test('is made by one process, and taken over from one that is gone', async () => {
    let made = 0;
    using world = openWorld(async () => {
      made += 1;
      return FILE;
    });
    const { ports, clock } = world;
    const id = await ask(ports);
    const [one, other] = [maker(oneOfSeveral(ports)), maker(oneOfSeveral(ports))];
    await Promise.all([one.tick(), other.tick()]);
    expect([made, (await reportOf(ports, id))?.status]).toEqual([1, 'completed']);
    const second = await ask(ports);
    await maker(oneOfSeveral(mortal(ports, 4)))
      .tick()
      .catch(() => undefined);
    await other.tick();
    expect((await reportOf(ports, second))?.status).toBe('generating');
    clock.advance(16_000);
    await other.tick();
    expect((await reportOf(ports, second))?.status).toBe('completed');
  });

  test('of a process that stops is let go, and has not been tried', async () => {
    using world = openWorld(hang);
    const { ports } = world;
    const id = await ask(ports);
    const reports = maker(ports);
    const running = reports.tick();
    await until(async () => (await reportOf(ports, id))?.step === 'writing');
    await reports.stop();
    await running;
    expect(await reportOf(ports, id)).toMatchObject({ status: 'generating', step: 'waiting' });
    expect(await queued(ports)).toEqual([expect.objectContaining({ body: expect.objectContaining({ tries: 0 }) })]);
  });

  test('that takes too long has failed, and says so', async () => {
    using world = openWorld(hang);
    const { ports } = world;
    const id = await ask(ports);
    await maker(ports, { mostMs: 20 }).tick();
    const report = await reportOf(ports, id);
    expect([report?.status, report?.error]).toEqual(['failed', expect.stringMatching(/^Exceeded/)]);
    expect(await queued(ports)).toEqual([]);
  });

  test('that was given up while a store was slow stays as it is when the store answers', async () => {
    using world = openWorld();
    const late = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const findCis: Ports['topology']['findCis'] = async (...given) => {
      // The last thing that is read: pages of rows.
      if (given[2].limit === 200) {
        await late.promise;
        setTimeout(answered.resolve, 20);
      }
      return world.ports.topology.findCis(...given);
    };
    const ports = { ...world.ports, topology: { ...world.ports.topology, findCis } };
    const id = await ask(ports);
    await maker(ports, { mostMs: 20 }).tick();
    const failed = await reportOf(ports, id);
    expect(failed).toMatchObject({ status: 'failed', step: null });
    late.resolve();
    await answered.promise;
    expect([await reportOf(ports, id), await chunksOf(ports)]).toEqual([failed, []]);
  });

  test('that no format can hold has failed at once; a bug is tried three times', async () => {
    const errors: unknown[] = [];
    using world = openWorld(() => Promise.reject(new Fault('unprocessable', 'The file would have more than 16 MiB')));
    const id = await ask(world.ports);
    await maker(world.ports, { failed: (error) => errors.push(error) }).tick();
    expect(await reportOf(world.ports, id)).toMatchObject({
      status: 'failed',
      error: 'The file would have more than 16 MiB',
    });
    expect(errors).toEqual([]);

    using broken = openWorld(() => Promise.reject(new Error('a bug')));
    const { ports, clock } = broken;
    const other = await ask(ports);
    const reports = maker(ports, { failed: (error) => errors.push(error) });
    for (let times = 0; times < 2; times++) {
      await expect(reports.tick()).rejects.toThrow('retrying');
      clock.advance(5_001);
    }
    await reports.tick();
    expect(await reportOf(ports, other)).toMatchObject({
      status: 'failed',
      error: 'Internal error; see the server log',
    });
    expect(errors).toHaveLength(1);
  });

  test('that is deleted while it is made leaves nothing', async () => {
    let finish = (): void => undefined;
    using world = openWorld(
      () =>
        new Promise((resolve) => {
          finish = () => resolve(FILE);
        }),
    );
    const { ports } = world;
    const id = await ask(ports);
    const running = maker(ports).tick();
    await until(async () => (await reportOf(ports, id))?.step === 'writing');
    await ports.records.remove(TENANT, REPORT_KINDS.report, id);
    finish();
    await running;
    expect([await reportOf(ports, id), await chunksOf(ports), await queued(ports)]).toEqual([undefined, [], []]);
  });
});
