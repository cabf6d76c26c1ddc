import { expect, test } from '@jest/globals';
import type { Call } from '#console/api/link/call.ts';
import { openTalk } from './talk.ts';

type Told = readonly [event: string, data: unknown];
const END: Told = ['end', { conversationId: 'one', response: 'said', claims: [] }];

/** A call that streams these messages to each question; an error in place of them is thrown. */
const answering = (sent: unknown[], ...answers: readonly (readonly Told[] | Error)[]): Call => {
  const left = [...answers];
  const stream = async (_: string, { body }: { readonly body: unknown }, tell: (...told: Told) => void) => {
    sent.push(body);
    const told = left.shift() ?? [END];
    if (told instanceof Error) throw told;
    for (const message of told) {
      await Promise.resolve();
      tell(...message);
    }
  };
  return { stream } as unknown as Call;
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

const TOOL: Told = ['tool', { tool: 'search-events', title: 'Find events', params: {}, total: 2, error: null }];
const DRAFT: Told = ['draft', { response: 'by rules', claims: [] }];

test('an answer grows: look-ups, the draft of the rules, the answer', async () => {
  const talk = openTalk(answering([], [TOOL, DRAFT, END]));
  const seen: unknown[] = [];
  talk.subscribe(() =>
    seen.push(talk.turns().map(({ state, calls, answer }) => [state, calls.length, answer?.response])),
  );
  await talk.ask({ words: 'What is open?' });
  expect(seen).toEqual([
    [['open', 0, undefined]],
    [['open', 1, undefined]],
    [['draft', 1, 'by rules']],
    [['ended', 1, 'said']],
    // It is not busy any longer.
    [['ended', 1, 'said']],
  ]);
});

test('a failed question is asked again in its place, and a draft outlives the end of the connection', async () => {
  const refused: readonly Told[] = [['error', { message: 'No model is configured' }]];
  const talk = openTalk(answering([], refused, [DRAFT], new TypeError('network error')));
  await talk.ask({ words: 'How many events?' });
  expect(talk.turns()).toMatchObject([{ answer: null, error: { message: 'No model is configured' } }]);
  await talk.again();
  expect(talk.turns()).toMatchObject([
    { answer: { response: 'by rules' }, error: { message: expect.stringContaining('ended early') } },
  ]);
  await talk.again();
  expect(talk.turns()).toMatchObject([{ answer: null, error: { message: expect.stringContaining('ended early') } }]);
  await talk.again();
  expect(talk.turns()).toMatchObject([{ question: 'How many events?', error: null, answer: { response: 'said' } }]);
});

test('a canceled question keeps its draft, and makes room for the next', async () => {
  const talk = openTalk(answering([], [TOOL, DRAFT, END]));
  const first = talk.ask({ words: 'one' });
  talk.subscribe(() => talk.turns()[0]?.state === 'draft' && talk.cancel());
  await first;
  expect(talk.turns()).toMatchObject([{ state: 'canceled', answer: { response: 'by rules' }, error: null }]);
  expect(talk.isBusy()).toBe(false);
  await talk.ask({ words: 'two' });
  expect(talk.turns()).toMatchObject([{ state: 'canceled' }, { state: 'ended', answer: { response: 'said' } }]);
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
