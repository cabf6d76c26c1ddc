import { expect, test } from '@jest/globals';
import { CliError, type ClientReply } from '#cli/client/client.ts';
import { openBridge } from './bridge.ts';

type Sent = readonly [path: string, body: unknown, headers: Readonly<Record<string, string>>];

const opened = (reply: ClientReply | CliError) => {
  const sent: Sent[] = [];
  const answer = openBridge({
    exchange: async (...asked) => {
      sent.push(asked);
      if (reply instanceof CliError) throw reply;
      return reply;
    },
  });
  return {
    sent,
    answer: (message: unknown) => answer(typeof message === 'string' ? message : JSON.stringify(message)),
  };
};
const listed = { jsonrpc: '2.0', id: 1, result: { tools: [] } };

test('a message goes to the server, and its reply comes back', async () => {
  const { sent, answer } = opened({ status: 200, body: listed });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect(JSON.parse((await answer(message))!)).toEqual(listed);
  expect(sent).toEqual([['/mcp', message, {}]]);
});

test('the headers say what a message of 2026 says itself', async () => {
  const { sent, answer } = opened({ status: 200, body: listed });
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  await answer({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', _meta: meta } });
  expect(sent[0]![2]).toEqual({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ask' });
});

test('after a handshake the agreed version goes along', async () => {
  const { sent, answer } = opened({
    status: 200,
    body: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } },
  });
  await answer({ jsonrpc: '2.0', id: 0, method: 'initialize' });
  await answer({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(sent.map(([, , headers]) => headers)).toEqual([{}, { 'mcp-protocol-version': '2025-06-18' }]);
});

test.each([
  ['no token', { status: 401, body: { error: { message: 'Token missing' } } }, '401: Token missing'],
  ['no such server', new CliError('no server at http://x'), 'no server at http://x'],
])('%s is an error that the client shows', async (_, reply, message) => {
  const { answer } = opened(reply);
  const said = JSON.parse((await answer({ jsonrpc: '2.0', id: 7, method: 'tools/list' }))!);
  expect(said).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32_603, message } });
  expect(await answer({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeNull();
});

test.each(['{"broken":', '[]', 'null'])('%s is no message', async (line) => {
  const { sent, answer } = opened({ status: 200, body: listed });
  expect(JSON.parse((await answer(line))!)).toMatchObject({ id: null, error: { code: -32_700 } });
  expect(sent).toEqual([]);
});
