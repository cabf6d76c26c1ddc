import { expect, test } from '@jest/globals';
import type { Call } from '#console/api/link/call.ts';
import { openTalk } from './talk.ts';

/** A call that answers what it was asked. */
const answering = (sent: unknown[], failures: unknown[] = []): Call => {
  const call = async (_: string, { body }: { readonly body: unknown }): Promise<unknown> => {
    sent.push(body);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return { conversationId: 'one', response: 'said', claims: [] };
  };
  return call as unknown as Call;
};

test('a conversation goes on under the id that the server gave it', async () => {
  const sent: unknown[] = [];
  const talk = openTalk(answering(sent));
  await talk.ask({ words: 'Why is it down?', currentCI: 'db-1' });
  await talk.ask({ words: 'What caused this group?', message: 'What caused COR-1?' });
  expect(sent).toEqual([
    { message: 'Why is it down?', context: { currentCI: 'db-1' } },
    { message: 'What caused COR-1?', conversationId: 'one' },
  ]);
  expect(talk.turns().map(({ question, answer }) => [question, answer?.response])).toEqual([
    ['Why is it down?', 'said'],
    ['What caused this group?', 'said'],
  ]);
  talk.forget();
  await talk.ask({ words: 'And now?' });
  expect(sent.at(-1)).toEqual({ message: 'And now?' });
});

test('what failed is asked again in its place', async () => {
  const sent: unknown[] = [];
  const talk = openTalk(answering(sent, [new Error('busy')]));
  await talk.ask({ words: 'How many events?' });
  expect(talk.turns()).toMatchObject([{ answer: null, error: new Error('busy') }]);
  await talk.again();
  expect(talk.turns()).toMatchObject([{ question: 'How many events?', error: null, answer: { response: 'said' } }]);
});

test('one question at a time, and an answer to a conversation that was forgotten is dropped', async () => {
  const sent: unknown[] = [];
  const talk = openTalk(answering(sent));
  const first = talk.ask({ words: 'one' });
  await talk.ask({ words: 'two' });
  talk.forget();
  await first;
  expect(sent).toHaveLength(1);
  expect(talk.turns()).toEqual([]);
});
