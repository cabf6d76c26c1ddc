import { expect, test } from '@jest/globals';
import type { AnyProcessor, Emits } from '#domain/pipeline/processor.ts';
import { pipeline } from '#processors/pipeline.ts';
import { flows } from '#schemas/topics/flows.ts';
import { NOON, occurs, openRunner } from '#test/setup/runner-kit.ts';

/** Notes the topics that a processor emits to, and whether it answers. */
const noting = <To extends Emits>(effects: To, sent: Set<string>): To =>
  new Proxy(effects, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'emit') sent.add(args[0] as string);
        if (name === 'receipt') sent.add('events.receipts');
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });

const watched = (processor: AnyProcessor, sent: Set<string>): AnyProcessor => {
  if (processor.kind === 'join')
    return {
      ...processor,
      match: (state, entry, effects) => processor.match(state, entry, noting(effects, sent)),
      passed: (through, effects) => processor.passed(through, noting(effects, sent)),
    };
  return {
    ...processor,
    step: (state, entry, found, effects) => processor.step(state, entry, found, noting(effects, sent)),
    ...(processor.proceed && {
      proceed: (state, effects, work) => processor.proceed?.(state, noting(effects, sent), work) ?? false,
    }),
    settle: (state, effects) => processor.settle?.(state, noting(effects, sent)),
  };
};

test('every processor writes to the topics that its flow names, and to no other', async () => {
  const sent = new Map(pipeline.map(({ name }) => [name, new Set(['events.rejected'])]));
  const stages = pipeline.map((processor) => watched(processor, sent.get(processor.name) ?? new Set()));
  const kit = await openRunner({ stages });
  const events = ['a', 'b', 'c', 'd'].map((id) => occurs({ id, hostname: id, severity: 'critical' }));
  const [first] = await kit.runner.submit('t', events, 60_000);
  const [a, b] = ['a', 'b'].map((id) => `${id.toUpperCase()}`.padStart(26, '0'));
  expect(first).toMatchObject({ ok: true, outcome: 'created' });
  const link = { other: b ?? '', score: 1, literalScore: 1, reasons: [] };
  const by = { id: 'u', username: 'ann', name: 'Ann' };
  const ask = { kind: 'related', eventId: a ?? '', links: [link], manual: true, by } as const;
  await kit.runner.submit('t', [{ ask, receivedAt: NOON }], 60_000);
  await kit.close();
  const found = [...sent].map(([name, topics]) => [name, [...topics].sort()]);
  const ofPipeline = flows.filter(({ name }) => sent.has(name));
  expect(found).toEqual(ofPipeline.map(({ name, sends }) => [name, [...sends].sort()]));
});
