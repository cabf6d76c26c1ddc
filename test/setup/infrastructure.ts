import type { Reply, TestApp } from './test-app.ts';

/** Caller of these requests. */
interface Caller {
  readonly app: TestApp;
  readonly token: string;
}

/** Requests of the test's current caller, and helpers that fill its CMDB. */
export const infrastructureOf = (caller: () => Caller) => {
  const send = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const { app, token } = caller();
    return app.send(method, path, body, { token, headers });
  };
  return {
    send,
    /** The id of a new server. */
    ci: async (name: string, more: object = {}): Promise<string> =>
      (await send('POST', '/v1/cmdb/ci', { name, type: 'server', ...more })).body.id,
    /** The first needs the second. */
    join: (source_ci: string, target_ci: string, attributes: object = {}): Promise<Reply> =>
      send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci, target_ci, attributes }),
  };
};
