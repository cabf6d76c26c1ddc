import { expect, test } from '@jest/globals';
import { actionsWords } from './home-text.ts';

test('actions of a user are one line', () => {
  const actions = [
    { action: 'group.acknowledged', count: 5 },
    { action: 'group.noted', count: 1 },
    { action: 'silence.created', count: 2 },
  ];
  expect(actionsWords(actions)).toBe('acknowledged 5 groups, commented on 1 group, created 2 silences');
});
