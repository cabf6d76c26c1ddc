import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { start } from '#app';
import { readConfig } from '#infra/config.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';

test('a generated password is told even when the port is taken, and stays valid', async () => {
  const directory = temporaryDirectory();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const environment = { FAULTLINE_DATA: directory.path, FAULTLINE_LOG_LEVEL: 'silent' };
  const { port } = other.address() as AddressInfo;
  const told: string[] = [];
  const tellPassword = (password: string) => void told.push(password);
  const failing = start(readConfig({ ...environment, PORT: String(port) }), { tellPassword });
  await expect(failing).rejects.toMatchObject({ code: 'EADDRINUSE' });
  other.close();

  const app = await start(readConfig({ ...environment, PORT: '0' }), { tellPassword });
  const body = JSON.stringify({ username: 'admin', password: told[0] });
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${app.url}/api/auth/login`, { method: 'POST', headers, body });
  expect([told.length, login.status]).toEqual([1, 200]);
  await app.stop();
  directory.remove();
});
