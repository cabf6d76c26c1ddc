import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { listGroups } from '#api/groups/list-groups.ts';
import type { Context } from '#api/surfaces/endpoint.ts';
import { type AnyTool, tool } from '#api/surfaces/tool.ts';
import { Fault } from '#domain/fault.ts';
import { openDeadline } from '#infra/system/time.ts';
import { callTool } from './call-tool.ts';
import { endpointTool, type McpTool } from './toolbox.ts';

const named = (run: AnyTool['run']): McpTool =>
  endpointTool(
    tool({
      name: 'sample',
      title: 'Sample',
      description: 'A sample.',
      endpoint: listGroups,
      input: z.strictObject({ id: z.string() }),
      output: z.object({ rows: z.array(z.object({ text: z.string() })), truncated: z.boolean() }),
      run,
      tell: ({ rows }) => rows.map(({ text }) => text).join('\n'),
    }),
  );

const opened = (permissions: readonly string[] = ['events.read']) => {
  const deadline = openDeadline(() => 0);
  const given: number[] = [];
  const logged: unknown[] = [];
  const context = {
    requestId: 'R-1',
    caller: { permissions: new Set(permissions) },
    recheck: async () => undefined,
    ports: {
      toolbox: { tools: [], log: { error: (fields: unknown) => logged.push(fields) } },
      deadline: {
        ...deadline,
        within: (ms: number, work: () => unknown) => {
          given.push(ms);
          return deadline.within(10, work);
        },
      },
    },
  } as unknown as Context;
  return { context, given, logged };
};

test('the output has the fields of its schema, cleaned, in both forms', async () => {
  const { context } = opened();
  const rows = [{ text: 'a\u0000b', secret: 'x' }];
  expect(
    await callTool(
      named(async () => ({ rows, truncated: false })),
      { id: '1' },
      context,
    ),
  ).toEqual({
    content: [{ type: 'text', text: 'ab' }],
    structuredContent: { rows: [{ text: 'ab' }], truncated: false },
  });
});

test('an answer that is too long is marked', async () => {
  const { context } = opened();
  const rows = Array.from({ length: 500 }, () => ({ text: 'x'.repeat(40) }));
  const { structuredContent } = await callTool(
    named(async () => ({ rows, truncated: false })),
    { id: '1' },
    context,
  );
  expect(structuredContent?.truncated).toBe(true);
});

test('a call has 15 s', async () => {
  const { context, given } = opened();
  const { isError, content } = await callTool(
    named(() => new Promise(() => {})),
    { id: '1' },
    context,
  );
  expect([given, isError, content[0].text]).toEqual([[15_000], true, 'Request timed out']);
});

test.each<readonly [string, AnyTool['run'], unknown, readonly string[], string]>([
  ['a wrong input', async () => null, { id: 1, other: 2 }, ['events.read'], 'id: '],
  ['no permission', async () => null, { id: '1' }, ['cmdb.read'], 'Requires permission events.read'],
  ['a fault', () => Promise.reject(new Fault('conflict', 'Taken')), { id: '1' }, ['events.read'], 'Taken'],
  [
    'a defect',
    () => Promise.reject(new Error('SELECT secret')),
    { id: '1' },
    ['events.read'],
    'An unexpected error occurred. Request ID R-1',
  ],
])('%s is an answer', async (title, run, input, permissions, text) => {
  const { context, logged } = opened(permissions);
  const answer = await callTool(named(run), input, context);
  expect(answer).toEqual({ content: [{ type: 'text', text: expect.stringContaining(text) }], isError: true });
  expect(logged.length).toBe(title === 'a defect' ? 1 : 0);
});
