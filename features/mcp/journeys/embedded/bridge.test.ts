import { beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { appOfTests } from '#test/setup/of-tests.ts';
import { furnish, type Scene, textOf } from '../scene.ts';

const app = appOfTests();
let token: string;
let scene: Scene;
beforeAll(async () => {
  token = await app.tenant('mcp-bridge');
  scene = await furnish(app, token);
});

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
