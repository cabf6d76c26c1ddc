import { expect, test } from '@jest/globals';
import { bestPassages, passagesOf } from './manual.ts';

const PAGE = `# Console

## Keys

| Key | Action | Where |
|---|---|---|
| \`Shift a\` | Unacknowledge: take back an acknowledgement | lists |
| \`m\` | Merge groups | lists |

\`\`\`
secret code of groups
\`\`\`

# Terms

## Words

| Concept | Term | Meaning | API names | Never |
|---|---|---|---|---|
| Seen most of the day | recurring | No root cause | \`usual\` | \`often\` |

Groups [end](events.md#end) when nothing
is left of them.

- Lists are **sorted** by urgency.
`;
const passages = passagesOf(PAGE);

test('rows, paragraphs and items are passages of their heading, without marks, code and columns for programmers', () => {
  expect(passages.map(({ page, heading, text }) => [page, heading, text])).toEqual([
    ['Console', 'Keys', 'Press Shift a: Unacknowledge: take back an acknowledgement (lists).'],
    ['Console', 'Keys', 'Press m: Merge groups (lists).'],
    ['Terms', 'Words', 'recurring: Seen most of the day. No root cause.'],
    ['Terms', 'Words', 'Groups end when nothing is left of them.'],
    ['Terms', 'Words', 'Lists are sorted by urgency.'],
  ]);
});

test.each([
  ['take back an acknowledge', ['Press Shift a: Unacknowledge: take back an acknowledgement (lists).']],
  ['merge two groups', ['Press m: Merge groups (lists).']],
  ['recurring', ['recurring: Seen most of the day. No root cause.']],
  ['sorted lists', ['Lists are sorted by urgency.']],
  ['bicycle', []],
  ['', []],
])('%s', (words, said) => {
  expect(bestPassages(passages, words.split(' ')).map(({ text }) => text)).toEqual(said);
});

test('a long page and a long question are read in no time', () => {
  const began = process.cpuUsage().user;
  const long = passagesOf(
    `# A\n${'[a](b '.repeat(20_000)}\n${'| groups '.repeat(20_000)}\n${'- groups end\n'.repeat(5_000)}`,
  );
  bestPassages(long, 'groups end sorted merge'.repeat(50).split(' '));
  expect(process.cpuUsage().user - began).toBeLessThan(3_000_000);
});
