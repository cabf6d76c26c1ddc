import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';
import { furnish, type Scene, textOf } from '../scene.ts';

let app: TestApp;
let token: string;
let scene: Scene;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.tenant('mcp-bridge');
  scene = await furnish(app, token);
});
afterAll(() => app.stop());

const bridge = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['cli/faultline.js', 'mcp'],
    env: { FAULTLINE_URL: app.url, FAULTLINE_TOKEN: token },
    stderr: 'ignore',
  });

test.each(['legacy', 'auto'] as const)(
  'a client on the desktop talks to the server through faultline mcp, %s',
  async (mode) => {
    const client = new Client({ name: 'desktop', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(bridge());
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_group');
    const answers = await Promise.all(
      [scene.group, 'COR-1-zzzzzz'].map((group) => client.callTool({ name: 'get_group', arguments: { group } })),
    );
    expect(answers.map(({ isError = false }) => isError)).toEqual([false, true]);
    expect(textOf(answers[0]!)).toContain('Probable root cause "Link down"');
    await client.close();
  },
  // A process of its own starts in seconds on a busy machine.
  60_000,
);
