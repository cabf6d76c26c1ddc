import type { TestApp } from '#test/setup/test-app.ts';

/** One style of the CMDB interface: bare under /v1, wrapped under /api. */
export interface Style {
  readonly prefix: string;
  readonly id: 'id' | '_id';
}
export const STYLES: readonly (readonly [string, Style])[] = [
  ['/v1', { prefix: '/v1', id: 'id' }],
  ['/api', { prefix: '/api', id: '_id' }],
];

let tenants = 0;

/** A tenant of its own with this style; `data` is the content of the envelope. */
export const speaking = async (app: TestApp, { prefix, id }: Style, role = 'admin') => {
  const tenant = `cmdb-${++tenants}`;
  const token = await app.tenant(tenant, role);
  const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const whole = /^\/(v1|api)\//.test(path);
    const reply = await app.send(method, whole ? path : prefix + path, body, { token, headers });
    const isWrapped = (whole ? path : prefix).startsWith('/api') && reply.status < 300;
    return { ...reply, data: isWrapped ? reply.body.data : reply.body };
  };
  const ci = async (name: string, fields: object = {}): Promise<string> =>
    (await send('POST', '/cmdb/ci', { name, type: 'server', ...fields })).data[id];
  const join = async (source_ci: string, target_ci: string, fields: object = {}): Promise<string> =>
    (await send('POST', '/cmdb/relationships', { type: 'depends_on', source_ci, target_ci, ...fields })).data.id;
  return { tenant, token, send, ci, join };
};
