import { type Context, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { Me } from '#schemas/http/console.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

interface Emptiness {
  readonly events: boolean;
  readonly cis: boolean;
}

const present = (empty: Emptiness, { caller, tenant, ports, service }: Context) => {
  const { id, username, name, kind, role, permissions, expiresAt } = caller;
  return {
    body: {
      user: { _id: id, username, name, role, credential: kind, expires_at: isoOrNull(expiresAt ?? null) },
      tenant: { id: tenant, own: caller.tenant },
      permissions: [...permissions],
      // Rules answer where there is no model.
      features: { ai: true, model: ports.model !== null, reports: true, webhooks: true, demo: service.hasDemo },
      mode: service.mode,
      version: service.version,
      time: iso(ports.clock.now()),
      empty,
    },
  };
};

const FIRST = { limit: 1, offset: 0, sort: 'createdAt', order: 'desc' } as const;

export const showMe = endpoint<void, Emptiness>({
  id: 'me.show',
  summary: 'Who is asking, what he may do, and what this server has',
  description: 'What a console asks first. GET /api/auth/me has the limits of a credential.',
  tag: 'Console',
  permission: null,
  anyCredential: true,
  limit: 'standard',
  mounts: [mount({ on: 'platform', method: 'get', path: '/me', reply: wrapped(Me), read: () => undefined, present })],
  async handle(_, { ports, tenant }) {
    const [events, cis] = await Promise.all([ports.events.find(tenant, {}, FIRST), ports.counts.cis(tenant)]);
    return { events: events.total === 0, cis: cis === 0 };
  },
});
