import { expect, test } from '@jest/globals';
import { pause } from '#infra/wait.ts';
import { type SinkWorld, sinkRunnerContract } from '#test/contract/sink-runner.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { NOON, openRunner } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { sayer, saying, type TestSink, testSink, type Word } from '#test/setup/sink-kit.ts';
import { until } from '#test/setup/until.ts';

const openWorld = async (sink: TestSink): Promise<SinkWorld> => {
  const [directory, clock] = [temporaryDirectory(), setClock(NOON)];
  const open = () => openRunner({ path: directory.path, clock, sinks: [sink], stages: [sayer] });
  let kit = await open();
  return {
    async say(words) {
      await Promise.all(words.map((word) => kit.runner.submit(word.tenant, [saying(word)], 5_000)));
    },
    advance: clock.advance,
    pause: (isPaused) =>
      kit.sinks.pause(new Map(isPaused ? [['s', { by: { id: 'u', username: 'u', name: 'U' }, at: NOON }]] : [])),
    async letters() {
      await kit.database.applied();
      return [...kit.rejected('t'), ...kit.rejected('u')];
    },
    async kill() {
      await kit.kill();
      kit = await open();
    },
    async restart() {
      await kit.close();
      kit = await open();
    },
    async close() {
      await kit.close();
      directory.remove();
    },
  };
};

sinkRunnerContract('SQLite', openWorld);

test('what comes soon after a take is taken together', async () => {
  const sink = testSink('s', { everyMs: 60_000 });
  const { say, advance, close } = await openWorld(sink);
  const words = ['A', 'B', 'C'].map((id): Word => ({ tenant: 't', id, happened: 'created' }));
  await say(words.slice(0, 1));
  await until(async () => sink.taken.length === 1);
  await say(words.slice(1, 2));
  await pause(50);
  await say(words.slice(2));
  expect(sink.given).toHaveLength(1);
  // The sink may not rest yet, and would miss a single advance.
  await until(async () => {
    advance(60_000);
    return sink.taken.length === 3;
  });
  expect(sink.given).toHaveLength(2);
  await close();
});
