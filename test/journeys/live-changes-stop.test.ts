import { expect, test } from '@jest/globals';
import { cutsOf } from '#test/setup/cuts-of.ts';
import { openLiveStream } from '#test/setup/live-stream.ts';
import { openTestApp } from '#test/setup/test-app.ts';

test('a stop ends streams at once, with a word', async () => {
  const app = await openTestApp();
  const streams = await Promise.all(
    ['a', 'b'].map(async (id) => openLiveStream(`${app.url}/sse/changes`, { token: await app.tenant(id) })),
  );
  await Promise.all(streams.map((stream) => stream.next('hello')));
  const cuts = await cutsOf(async () => {
    const stopped = app.stop();
    for (const stream of streams) expect((await stream.next('bye')).data).toEqual({ reason: 'stopping' });
    await Promise.all(streams.map(({ ended }) => ended));
    await stopped;
  });
  expect(cuts).toBe(0);
});
