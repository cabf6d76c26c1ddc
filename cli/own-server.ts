import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#infra/config.ts';
import { openClient } from './client/client.ts';
import type { OwnServer, StartServer } from './terminal/environment.ts';

/** The password was made for this start and is not known elsewhere. */
const login = async (url: string, password: string | null): Promise<string> => {
  const reply = await openClient({ url }).post<{ data: { token: string } }>('/api/auth/login', {
    username: 'admin',
    password,
  });
  return reply.data.token;
};

/** A server of the command's own on a free port, with its data in a temporary folder; reads no environment. */
export const openOwnServer = async (start: StartServer, port: number): Promise<OwnServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-demo-'));
  const config = readConfig({ PORT: String(port), FAULTLINE_DATA: folder, FAULTLINE_LOG_LEVEL: 'error' });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // The folder is removed at any end of the process.
  process.once('exit', remove);
  try {
    const app = await start(config);
    const token = await login(app.url, app.adminPassword);
    const stop = async (): Promise<void> => {
      await app.stop();
      process.off('exit', remove);
      remove();
    };
    return { url: app.url, token, stop };
  } catch (error) {
    remove();
    throw error;
  }
};
