import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ask, Incoming } from '#domain/event/incoming.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { ciOf, dependsOn, diskFull, NOON, occurs, openRunner, type RunnerKit, ulidOf } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';

const MINUTE = 60_000;
/** How far the event times of each tenant lie behind the clock: a tenant may replay its past. */
const BEHIND: Readonly<Record<string, number>> = { now: 0, past: 30 * 60 * MINUTE };
const CIS = ['c0', 'c1', 'c2', 'c3', 'c4'].map(ulidOf);
const TITLES = ['Disk full', 'Link down', 'Queries blocked', 'HTTP 503', 'Latency high', 'Out of memory'];

const nat = (max: number) => fc.nat({ max });
const step = fc.record({
  tenant: fc.constantFrom('now', 'now', 'past'),
  kind: fc.constantFrom('occurs', 'occurs', 'occurs', 'occurs', 'recovers', 'resolves', 'redelivers'),
  host: nat(6),
  title: nat(TITLES.length - 1),
  severity: fc.constantFrom('critical' as const, 'major' as const, 'warning' as const),
  service: fc.option(fc.constantFrom('shop', 'mail'), { nil: undefined, freq: 3 }),
  condition: fc.option(nat(3), { nil: undefined }),
  /** Seconds since the step before; now and then a long pause. */
  pause: fc.oneof(
    { weight: 12, arbitrary: nat(90) },
    { weight: 3, arbitrary: nat(900) },
    { weight: 1, arbitrary: nat(9_000) },
  ),
  /** Seconds by which the event is older than its arrival. */
  delay: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: nat(400) },
    { weight: 1, arbitrary: nat(7_000) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
interface Sent {
  readonly tenant: string;
  readonly record: Incoming;
}

/** Records in the order in which they arrive. Each has a delivery id, so that what was refused may be sent again. */
const recordsOf = (steps: readonly Step[]): Sent[] => {
  let now = NOON;
  return steps.map(({ tenant, kind, host, title, severity, service, condition, pause, delay }, n) => {
    now += pause * 1_000;
    const at = now - (BEHIND[tenant] as number) - delay * 1_000;
    const conditionId = condition === undefined ? null : `${tenant}/${host}/${condition}`;
    const delivery = kind === 'redelivers' && n > 0 ? `d${n - 1}` : `d${n}`;
    const base = { receivedAt: now, deliveryId: delivery };
    const ask = (value: Ask): Sent => ({ tenant, record: { ask: value, ...base } });
    if (kind === 'recovers')
      return ask({ kind: 'recovered', source: 's', sourceId: `e${n}`, conditionId: conditionId ?? 'none', at });
    const by = { id: 'u', username: 'u', name: 'U' };
    if (kind === 'resolves')
      return ask({ kind: 'status-set', eventId: ulidOf(`e${Math.floor(n / 2)}`), status: 'resolved', by });
    const bound = CIS[host];
    const record = occurs({
      ...{
        id: `e${n}`,
        timestamp: at,
        hostname: `host-${host}`,
        title: TITLES[title] as string,
        severity,
        receivedAt: now,
        delivery,
      },
      ...(service !== undefined && { service }),
      ...(conditionId !== null && { condition: conditionId }),
      ...(bound !== undefined && { ci: { id: bound, name: bound, type: 'server' } }),
    });
    return { tenant, record };
  });
};

const prepareTopology = async ({ topology }: RunnerKit): Promise<void> => {
  for (const tenant of Object.keys(BEHIND)) {
    await topology.putCis(
      tenant,
      CIS.map((id) => ciOf(tenant, id)),
    );
    const edges = [
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 3],
    ].map(([a, b]) => dependsOn(tenant, CIS[a as number] as string, CIS[b as number] as string));
    await topology.putRelationships(tenant, edges);
  }
};

/** One call per record, at once: how many share a batch is the runner's business. The clock is never ahead of a record. */
const sendAll = (kit: RunnerKit, sent: readonly Sent[]) => {
  kit.clock.set(sent[0]?.record.receivedAt ?? NOON);
  return Promise.all(
    sent.map(({ tenant, record }) =>
      kit.runner.submit(tenant, [record], 5_000).then(
        () => true,
        () => false,
      ),
    ),
  );
};

let reference: (sent: readonly Sent[]) => Promise<unknown>;
beforeAll(() => {
  reference = async (sent) => {
    const kit = await openRunner({ clock: setClock(NOON) });
    await prepareTopology(kit);
    for (const one of sent) await sendAll(kit, [one]);
    const snapshot = kit.snapshot();
    await kit.close();
    return snapshot;
  };
});

const directories: ReturnType<typeof temporaryDirectory>[] = [];
afterAll(() => {
  for (const directory of directories) directory.remove();
});

const part = fc.record({
  size: fc.integer({ min: 1, max: 60 }),
  ends: fc.constantFrom('well', 'well', 'refused', 'unanswered', 'restart', 'killed'),
});

const running = async ({ runner }: RunnerKit) => {
  for (let tries = 0; runner.status.state !== 'running'; tries++) {
    if (tries > 2_000) throw new Error(`still ${runner.status.state}: ${runner.status.lastError}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

/** Sends one part until all of it is acknowledged, whatever happens to its commits. */
const sendPart = async (kit: RunnerKit, sent: readonly Sent[], ends: string): Promise<void> => {
  let faults = ends === 'refused' || ends === 'unanswered' || ends === 'killed' ? 1 : 0;
  const fail = () => {
    if (faults-- > 0) throw diskFull();
  };
  if (ends === 'refused') kit.faults.commit = fail;
  else kit.faults.afterCommit = fail;
  for (let left = sent; left.length > 0; ) {
    const answered = await sendAll(kit, left);
    left = left.filter((_, index) => !answered[index]);
    if (ends === 'killed' && left.length > 0) return sendPart(kit, left, 'reopen');
    await running(kit);
  }
};

test('batches, refused commits, lost answers and restarts change neither events nor groups nor their ids', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 60, maxLength: 260, size: 'max' }),
      fc.array(part, { minLength: 3, maxLength: 12, size: 'max' }),
      async (steps, parts) => {
        const sent = recordsOf(steps);
        const directory = temporaryDirectory();
        directories.push(directory);
        const clock = setClock(NOON);
        let kit = await openRunner({ path: directory.path, clock });
        await prepareTopology(kit);
        for (let from = 0, n = 0; from < sent.length; n++) {
          const { size, ends } = parts[n % parts.length] as { size: number; ends: string };
          await sendPart(kit, sent.slice(from, from + size), ends);
          from += size;
          if (ends === 'restart' || ends === 'killed') {
            await kit.close();
            kit = await openRunner({ path: directory.path, clock });
          }
        }
        const snapshot = kit.snapshot();
        await kit.close();
        expect(snapshot).toEqual(await reference(sent));
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
}, 60_000);
