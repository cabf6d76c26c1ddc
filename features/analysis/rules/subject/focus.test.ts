import { describe, expect, test } from '@jest/globals';
import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { focusOf, narrowed, type TopicClaim } from './focus.ts';

const item = (alias: string, kind: EvidencePack[number]['kind'], id: string, label: string) => ({
  alias,
  kind,
  id,
  label,
  href: '/docs',
  facts: [],
});
const pack: EvidencePack = [
  item('E1', 'event', 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ', 'Disk full'),
  item('C1', 'ci', '01M7YWBDXTWDA6R21CQ905J7YR', 'db-1'),
  item('C2', 'ci', '01M7YWBDXTWDA6R21CQ905J7YS', 'db-12'),
  item('Q1', 'query', 'q', 'events'),
];
const say = (topic: TopicClaim['topic'], text: string, ...refs: string[]): TopicClaim => ({
  topic,
  claim: { text, refs, certainty: 'fact' },
});
const claims = [
  say('cause', 'a', 'E1'),
  say('cause', 'b', 'C1'),
  say('cause', 'c', 'C2'),
  say('impact', 'd', 'C1'),
  say('history', 'e', 'E1'),
  say('timeline', 'f', 'C2'),
  say('actions', 'g', 'E1'),
];
const texts = (told: readonly Claim[]) => told.map(({ text }) => text).join('');

describe('A question', () => {
  test.each([
    ['Why is this down?', ['cause'], []],
    ['What should I do about db-1?', ['actions'], ['C1']],
    ['WHICH SERVICES ARE AFFECTED', ['impact'], []],
    ['When did “Disk full” begin, and what does it affect?', ['impact', 'timeline'], ['E1']],
    ['what of EVT-01M7YWBDXTWDA6R21CQ905J7YQ', [], ['E1']],
    ['db-12', [], ['C2']],
    ['events please', [], []],
    ['¿por qué?', [], []],
  ])('%s', (question, topics, refs) => {
    const focus = focusOf(question, pack);
    expect([focus.topics, focus.names.map(({ ref }) => ref)]).toEqual([topics, refs]);
  });

  test('narrows what is told by topic, then by name', () => {
    const told = (question: string | null) =>
      texts(narrowed(claims, question === null ? null : focusOf(question, pack)));
    expect(told(null)).toBe('abdeg');
    expect(told('why?')).toBe('abc');
    expect(told('why db-1?')).toBe('b');
    expect(told('what about db-12')).toBe('cf');
    expect(told('what was the history of db-1')).toBe('e');
    expect(told('lorem ipsum')).toBe('abdeg');
  });

  test.each(['a', 'é ', '-', 'db-1 '])('of many %j takes linear time', (piece) => {
    expect(growth((times) => focusOf(piece.repeat(times), pack), 1_000)).toBeLessThan(LINEAR);
  });
});
