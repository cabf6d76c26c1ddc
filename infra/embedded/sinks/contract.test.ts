import { type SinkWorld, sinkRunnerContract } from '#test/contract/sink-runner.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { NOON, openRunner } from '#test/setup/runner-kit.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { sayer, saying, type TestSink } from '#test/setup/sink-kit.ts';

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
