import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN } from './client.ts';

/** Tenants, CIs and settings that the load needs; made before anything is broken. */
export interface Ground {
  readonly url: string;
  readonly tenants: readonly string[];
}

const HOSTS = 12;
const CI_TENANTS = 3;
/** Time for a new tenant's settings to reach every process. */
const SETTLE_MS = 500;

const ask = async (url: string, tenant: string | null, method: string, path: string, body: object) => {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      ...(tenant !== null && { 'x-tenant-id': tenant }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as { readonly id: string };
};

/** A chain of hosts, each of which depends on the one before. */
const prepareCis = async (url: string, tenant: string): Promise<void> => {
  let upstream: string | null = null;
  for (let host = 0; host < HOSTS; host++) {
    const ci = { name: `host-${host}`, type: 'server', attributes: {} };
    const { id } = await ask(url, tenant, 'POST', '/v1/cmdb/ci', ci);
    const relationship = { source_ci: id, target_ci: upstream, type: 'depends_on', attributes: {} };
    if (upstream !== null) await ask(url, tenant, 'POST', '/v1/cmdb/relationships', relationship);
    upstream = id;
  }
};

/** Half of the tenants group by the plain scores (docs/specification.md §5), so that busy ones have groups too. */
export const prepare = async ({ url, tenants }: Ground): Promise<void> => {
  for (const [index, id] of tenants.entries()) {
    await ask(url, null, 'POST', '/api/admin/tenants', { id });
    if (index < CI_TENANTS) await prepareCis(url, id);
    if (index % 2 === 0) await ask(url, id, 'PUT', '/api/admin/settings/correlation', { profile: 'specified' });
  }
  await sleep(SETTLE_MS);
};
