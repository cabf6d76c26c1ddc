import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests({ FAULTLINE_LIMIT_SCALE: '0.02' });

const call = async (token: string, name = 'find_cis', input: object = {}) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  return app.send('POST', '/mcp', message, { token });
};

test('each message is counted', async () => {
  const token = await app.tenant('mcp-messages', 'operator');
  // 2 of 100 a minute.
  const [first, second, third] = [await call(token), await call(token), await call(token)];
  expect([first.status, first.body.result.isError, first.headers.get('x-ratelimit-remaining')]).toEqual([
    200,
    undefined,
    '1',
  ]);
  expect([second.status, second.body.result.isError]).toEqual([200, undefined]);
  expect([third.status, third.body.error.message]).toEqual([429, expect.stringContaining('class query')]);
});

test('the endpoint of a tool counts in its own class', async () => {
  const token = await app.tenant('mcp-classes', 'operator');
  const message = 'what is open?';
  for (let i = 0; i < 2; i++) await app.send('POST', '/api/chatbot', { message }, { token });
  const { body } = await call(token, 'ask', { question: message });
  expect(body.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('class ai') }] });
});
