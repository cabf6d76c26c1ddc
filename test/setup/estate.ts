import type { Reply, TestApp } from './test-app.ts';

/** Whose requests these are. */
interface Caller {
  readonly app: TestApp;
  readonly token: string;
}

/** Requests of the caller that the test has by then, and what it puts into its CMDB. */
export const estateOf = (caller: () => Caller) => {
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
