import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { Me } from '#schemas/http/admin/auth.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { isoOrNull } from '#schemas/http/time.ts';

const present = (_: unknown, { caller, tenant }: Context) => {
  const { id, username, name, kind, role, permissions, limits, expiresAt } = caller;
  return {
    body: {
      _id: id,
      username,
      name,
      credential: kind,
      role,
      permissions: [...permissions],
      tenant: caller.tenant,
      acts_on: tenant,
      limits: limits.token,
      expires_at: isoOrNull(expiresAt ?? null),
    },
  };
};

export const me = endpoint<void, void>({
  id: 'auth.me',
  summary: 'Show whose credential this is: user or token, tenant, role, permissions, expiry',
  tag: 'Authentication',
  permission: null,
  anyCredential: true,
  limit: 'standard',
  mounts: [
    mount({ on: 'platform', method: 'get', path: '/auth/me', reply: wrapped(Me), read: () => undefined, present }),
  ],
  handle: async () => undefined,
});
