import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { eventTexts, type StreamMessage } from './event-stream.ts';

async function* told(...messages: readonly (StreamMessage | number)[]): AsyncGenerator<StreamMessage> {
  for (const message of messages)
    if (typeof message === 'number') await sleep(message);
    else yield message;
}
const textsOf = async (messages: AsyncIterable<StreamMessage>, silenceMs?: number): Promise<string[]> => {
  const texts: string[] = [];
  for await (const text of eventTexts(messages, silenceMs)) texts.push(text);
  return texts;
};

test('messages leave as events of one line, after the time until a client comes again', async () => {
  const texts = await textsOf(
    told({ data: { type: 'connected' } }, { id: 7, data: { type: 'progress', message: 'a\nb' } }),
  );
  expect(texts).toEqual([
    'retry: 3000\n\n',
    'data: {"type":"connected"}\n\n',
    'id: 7\ndata: {"type":"progress","message":"a\\nb"}\n\n',
  ]);
});

test('while there is nothing to tell, comments keep the connection', async () => {
  const texts = await textsOf(told({ id: 1, data: {} }, 90, { id: 2, data: {} }), 20);
  const comments = texts.filter((text) => text === ': nothing new\n\n');
  expect(comments.length).toBeGreaterThanOrEqual(2);
  expect(texts.filter((text) => text.startsWith('id'))).toEqual(['id: 1\ndata: {}\n\n', 'id: 2\ndata: {}\n\n']);
});

test('a reader that goes lets go of the messages', async () => {
  let isOpen = true;
  async function* endless(): AsyncGenerator<StreamMessage> {
    try {
      for (let id = 1; ; id++) yield { id, data: {} };
    } finally {
      isOpen = false;
    }
  }
  for await (const text of eventTexts(endless())) if (text.startsWith('id: 3')) break;
  await sleep(0);
  expect(isOpen).toBe(false);
});

test('what fails is not hidden', async () => {
  async function* failing(): AsyncGenerator<StreamMessage> {
    yield { id: 1, data: {} };
    throw new Error('the store is gone');
  }
  await expect(textsOf(failing())).rejects.toThrow('the store is gone');
});
