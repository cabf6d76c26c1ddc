import { type Client, openClient } from '#cli/client/client.ts';
import type { DemoInfrastructure } from '#features/demo/rules/scene/infrastructure.ts';
import { inParallel } from '#infra/wait.ts';

export type DemoProfile = 'calibrated' | 'specified';

/** Requests per minute: the demo sends twelve hours in one minute. */
const PLENTY = 10_000_000;
const LIMITS = { webhook: PLENTY, query: PLENTY, standard: PLENTY };

export interface DemoTenant {
  readonly id: string;
  readonly profile: DemoProfile;
  readonly token: string;
  readonly client: Client;
}

export interface ServerAccess {
  readonly url: string;
  /** Token of a platform administrator. */
  readonly token: string;
}

/** A tenant of its own with room for the traffic, its profile, and a token that ends with the day. */
export const makeTenant = async (
  { url, token }: ServerAccess,
  id: string,
  profile: DemoProfile,
): Promise<DemoTenant> => {
  await openClient({ url, token }).post('/api/admin/tenants', { id, name: `Demo (${profile})` });
  const administrator = openClient({ url, token, tenant: id });
  await administrator.put('/api/admin/limits', LIMITS);
  await administrator.put('/api/admin/settings/correlation', { profile });
  const made = await administrator.post<{ data: { token: string } }>('/api/admin/tokens', {
    name: 'demo',
    role: 'admin',
    expires_in: '1d',
  });
  const own = made.data.token;
  return { id, profile, token: own, client: openClient({ url, token: own }) };
};

const AT_ONCE = 8;

/** Enters the recorded part of the infrastructure in the CMDB. */
export const loadInfrastructure = async (
  client: Client,
  { cis, links }: DemoInfrastructure,
  step: () => void,
): Promise<void> => {
  const ids = new Map<string, string>();
  await inParallel(AT_ONCE, cis.values(), async ({ name, type, attributes }) => {
    const { id } = await client.post<{ id: string }>('/v1/cmdb/ci', { name, type, attributes });
    ids.set(name, id);
    step();
  });
  await inParallel(
    AT_ONCE,
    links.filter(({ recorded }) => recorded).values(),
    async ({ type, source, target, criticality }) => {
      const ends = { source_ci: ids.get(source), target_ci: ids.get(target) };
      await client.post('/v1/cmdb/relationships', { type, ...ends, attributes: { criticality } });
      step();
    },
  );
};
