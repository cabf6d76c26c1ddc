import { expect, test } from '@jest/globals';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { correlate } from '#processors/correlate.ts';
import { dedup } from '#processors/dedup.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { NOON, occurs } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEventCache } from './event-cache.ts';
import { FoldOwner } from './fold-owner.ts';
import { JoinOwner } from './join-owner.ts';
import type { Output, ReceiptReply } from './journal.ts';
import type { Emitter, Input } from './owner.ts';
import type { Rejected } from './step-batch.ts';

const metrics: Metrics = { count: () => {}, gauge: () => {}, observe: () => {} };

const emitter = () => {
  const sent: Output[] = [];
  const answers: ReceiptReply[] = [];
  const rejected: Rejected[] = [];
  const to: Emitter = {
    refuses: () => null,
    send: async (_, outputs) => void sent.push(...outputs),
    answer: async (given) => void answers.push(...given),
    reject: async (_, given) => void rejected.push(...given),
  };
  return { sent, answers, rejected, to };
};

const input = (offset: number, value: unknown, fault: string | null = null): Input => ({
  offset,
  at: NOON,
  fault,
  raw: Buffer.from('raw'),
  writer: 'api00001',
  serial: offset + 1,
  entry: { tenant: 'acme', position: offset + 1, value },
  reply: `p/r${offset}/0`,
});

test('a fold answers a record that it cannot read with an error, keeps it, and goes on with the others', async () => {
  const { sent, answers, rejected, to } = emitter();
  const owner = new FoldOwner({
    fold: dedup,
    partition: 0,
    epoch: 1,
    store: new MemoryPipelineStore(),
    emitter: to,
    clock: setClock(NOON),
    sources: { graph: { around: async () => null }, records: { get: async () => null } },
    saved: openEventCache(),
    metrics,
    mine: () => true,
  });
  await owner.open();
  await owner.take([
    input(0, null, 'Not a record of events.incoming'),
    input(1, occurs({ id: 'e1' })),
    input(2, occurs({ id: 'e2', title: 'Link down' })),
  ]);
  expect(answers.map(({ reply, receipt }) => [reply, receipt.ok])).toEqual([
    ['p/r0/0', false],
    ['p/r1/0', true],
    ['p/r2/0', true],
  ]);
  expect(rejected.map(({ offset, reason }) => [offset, reason])).toEqual([[0, 'Not a record of events.incoming']]);
  expect(sent).toHaveLength(2);
});

test('a strategy passes a record that it cannot read, and says so up to the last of the batch', async () => {
  const { sent, rejected, to } = emitter();
  const owner = new JoinOwner({
    join: correlate(strategies[0]!),
    partition: 0,
    store: new MemoryPipelineStore(),
    emitter: to,
    clock: setClock(NOON),
    metrics,
    mine: () => true,
    committed: async () => null,
  });
  await owner.open();
  expect(await owner.take([input(4, null, 'it ends too early')])).toEqual({ metadata: '5/5' });
  expect(sent.map(({ entry }) => entry.value)).toEqual([{ kind: 'passed', strategy: strategies[0]!.name, through: 5 }]);
  expect(rejected).toHaveLength(1);
});
