import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { type LoginInput, logIn } from '#application/access/login.ts';
import { loginAudited, noteLogout, reuseAudited } from '#application/access/login-trail.ts';
import { closeSession, type Issued, refreshSession } from '#application/access/sessions.ts';
import { Login, LoginRequest, Me, RefreshRequest } from '#schemas/http/admin/auth.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { isoOrNull } from '#schemas/http/time.ts';
import { consoleSignIn } from './console.ts';
import { changeOwnMail, changeOwnPassword } from './own-password.ts';
import { passwordLinkEndpoints } from './password-links.ts';
import { presentIssued } from './present-issued.ts';

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

const me = endpoint<void, void>({
  id: 'auth.me',
  summary: 'Get the current credential',
  tag: 'Authentication',
  permission: null,
  anyCredential: true,
  mounts: on.platform.get('/auth/me', { reply: wrapped(Me), read: () => undefined, present }),
  handle: async () => undefined,
});

const login = endpoint<LoginInput, Issued>({
  id: 'auth.login',
  summary: 'Log in',
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'rate-limited'],
  mounts: on.platform.post('/auth/login', {
    body: LoginRequest,
    reply: wrapped(Login),
    read: ({ body: { username, password, tenant }, headers }) => ({
      username,
      password,
      tenant: tenant ?? (headers['x-tenant-id'] || null),
    }),
    present: presentIssued,
  }),
  handle: (input, context) => loginAudited(context, input, () => logIn(context.ports, input, context.address)),
});

const refresh = endpoint<string, Issued>({
  id: 'auth.refresh',
  summary: 'Refresh tokens',
  description:
    'Refresh tokens are single use. Within 10 seconds a repeat returns the same new token; after that, reuse ends the session.',
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'rate-limited'],
  mounts: on.platform.post('/auth/refresh', {
    body: RefreshRequest,
    reply: wrapped(Login),
    read: ({ body }) => body.refreshToken,
    present: presentIssued,
  }),
  handle: (refreshToken, context) => reuseAudited(context, () => refreshSession(context.ports, refreshToken)),
});

const logout = endpoint<string, void>({
  id: 'auth.logout',
  summary: 'Log out',
  description: 'Authenticated by the refresh token. Unknown tokens get the same response.',
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'rate-limited'],
  mounts: on.platform.post('/auth/logout', {
    body: RefreshRequest,
    reply: wrapped(Message),
    read: ({ body }) => body.refreshToken,
    present: () => ({ body: { message: 'Logged out' } }),
  }),
  async handle(refreshToken, context) {
    const session = await closeSession(context.ports, refreshToken);
    if (session !== null) await noteLogout(context, session);
  },
});

export const authEndpoints = [
  login,
  refresh,
  logout,
  me,
  changeOwnPassword,
  changeOwnMail,
  ...passwordLinkEndpoints,
  ...consoleSignIn,
];
