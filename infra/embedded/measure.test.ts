import { expect, test } from '@jest/globals';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Fold } from '#domain/pipeline/processor.ts';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { sampleEnriched } from '#test/contract/samples.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEmbedded } from './open-embedded.ts';
import { MEMORY } from './redo-log/database.ts';

/** Processes one record and throws at the second. */
const clumsy: Fold<{ taken: number }, Incoming> = {
  kind: 'fold',
  name: 'clumsy',
  input: eventsIncoming,
  open: () => ({ taken: 0 }),
  restore: async () => {},
  reads: () => ({}),
  step(state, { position }, _, effects) {
    if (state.taken === 1) throw new Error('dropped it');
    state.taken++;
    effects.receipt(position, { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null });
  },
  sizes: ({ taken }) => ({ taken, open_groups: 7 }),
};

/** Reads behind its own save: earlier batches have to be in the file. */
const retrospective: Fold<object, Incoming> = {
  kind: 'fold',
  name: 'retrospective',
  input: eventsIncoming,
  open: () => ({}),
  restore: async () => {},
  reads: () => ({}),
  step(_, { position }, found, effects) {
    const enriched = sampleEnriched(1);
    found.enriched(enriched.arrival.tenant, enriched.arrival.eventId, 0);
    effects.saveEnriched(enriched);
    effects.receipt(position, { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null });
  },
};

test('how long the process stands still until earlier batches are in the file is measured', async () => {
  const directory = temporaryDirectory();
  const { metrics, text } = openMetrics({ version: '0', mode: 'embedded', node: 'v0' });
  const log = { error: () => {}, warn: () => {}, info: () => {} };
  const embedded = await openEmbedded({
    data: directory.path,
    pipeline: [retrospective],
    clock: setClock(0),
    ids: randomIds,
    metrics,
    log,
  });
  const ask = { kind: 'recovered', source: 's', sourceId: '1', conditionId: null, at: 0 } as const;
  const waits = async () => {
    await embedded.log.append('acme', [{ ask, receivedAt: 0 }]);
    const shown = await text();
    return ['count', 'sum'].map((part) =>
      Number(new RegExp(`^faultline_apply_wait_seconds_${part} (.+)$`, 'm').exec(shown)?.[1]),
    );
  };
  expect(await waits()).toEqual([0, 0]);
  const [count, seconds] = await waits();
  expect([count, seconds! > 0]).toEqual([1, true]);
  await embedded.close();
  directory.remove();
});

test('errors of steps are counted; sizes, lag and groups are shown as they stand when asked for', async () => {
  const { metrics, text } = openMetrics({ version: '0', mode: 'embedded', node: 'v0' });
  const clock = setClock(Date.UTC(2026, 10, 21));
  const log = { error: () => {}, warn: () => {}, info: () => {} };
  const embedded = await openEmbedded({ data: MEMORY, pipeline: [clumsy], clock, ids: randomIds, metrics, log });
  const ask = { kind: 'recovered', source: 's', sourceId: '1', conditionId: null, at: 0 } as const;
  await embedded.log.append('acme', [
    { ask, receivedAt: 0 },
    { ask, receivedAt: 0 },
  ]);
  embedded.measure();
  const shown = await text();
  expect(shown).toContain('faultline_processor_errors_total{processor="clumsy"} 1');
  expect(shown).toContain('faultline_rejected_total{processor="clumsy"} 1');
  expect(shown).toContain('faultline_state_size{processor="clumsy",what="taken"} 1');
  expect(shown).toContain('faultline_processor_lag{processor="clumsy"} 0');
  expect(shown).toContain('faultline_groups_open 7');
  for (const reason of ['room', 'reader']) expect(shown).toContain(`faultline_requests_waiting{for="${reason}"} 0`);
  expect(shown).toMatch(/^faultline_unapplied_changes 0$/m);
  await embedded.close();
});
