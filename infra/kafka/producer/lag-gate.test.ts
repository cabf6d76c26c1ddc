import { expect, test } from '@jest/globals';
import type { ProcessorReport } from '#domain/ports/operations.ts';
import { openLagGate } from './lag-gate.ts';

const report = (name: string, waiting: readonly number[]): ProcessorReport => ({
  name,
  input: 'correlation.hits',
  members: [],
  kind: 'fold',
  paused: null,
  lastError: null,
  trouble: null,
  partitions: waiting.map((waitingMs, partition) => ({
    partition,
    position: 0,
    end: 9,
    lag: 9,
    member: null,
    waitingMs,
  })),
});

test('new events of a partition are turned away while its groups lag by more than the limit, and no others', async () => {
  let reports: ProcessorReport[] = [report('dedup', [900_000, 900_000]), report('merge', [0, 600_000])];
  const gate = openLagGate({ pipeline: async () => reports, processor: 'merge', limitMs: 600_000 });
  gate.pass(1);
  await gate.look();
  gate.pass(0);
  expect(() => gate.pass(1)).toThrow(
    expect.objectContaining({ kind: 'rate-limited', retryAfter: 30, message: expect.stringContaining('10m') }),
  );
  reports = [report('merge', [0, 20_000])];
  await gate.look();
  gate.pass(1);
  gate.close();
});
