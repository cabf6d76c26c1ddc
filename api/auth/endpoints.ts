import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type LoginInput, logIn } from '#application/access/login.ts';
import { loginAudited, noteLogout, reuseAudited } from '#application/access/login-trail.ts';
import { closeSession, type Issued, refreshSession } from '#application/access/sessions.ts';
import { Login, LoginRequest, RefreshRequest } from '#schemas/http/admin/auth.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { consoleSignIn } from './console.ts';
import { me } from './me.ts';
import { changeOwnPassword } from './own-password.ts';
import { presentIssued } from './present-issued.ts';

const login = endpoint<LoginInput, Issued>({
  id: 'auth.login',
  summary: 'Log in with user name and password',
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'rate-limited'],
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: '/auth/login',
      body: LoginRequest,
      reply: wrapped(Login),
      read: ({ body: { username, password, tenant }, headers }) => ({
        username,
        password,
        tenant: tenant ?? (headers['x-tenant-id'] || null),
      }),
      present: presentIssued,
    }),
  ],
  handle: (input, context) => loginAudited(context, input, () => logIn(context.ports, input, context.address)),
});

const refresh = endpoint<string, Issued>({
  id: 'auth.refresh',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'The refresh token is used up. Within 10 s it gives the same new one again, for clients that missed the reply; later using it ends the login it belongs to.',
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'rate-limited'],
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: '/auth/refresh',
      body: RefreshRequest,
      reply: wrapped(Login),
      read: ({ body }) => body.refreshToken,
      present: presentIssued,
    }),
  ],
  handle: (refreshToken, context) => reuseAudited(context, () => refreshSession(context.ports, refreshToken)),
});

const logout = endpoint<string, void>({
  id: 'auth.logout',
  summary: 'End the login a refresh token belongs to',
  description: 'The refresh token is the credential. An unknown one is answered the same.',
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'rate-limited'],
  mounts: [
    mount({
      on: 'platform',
      method: 'post',
      path: '/auth/logout',
      body: RefreshRequest,
      reply: wrapped(Message),
      read: ({ body }) => body.refreshToken,
      present: () => ({ body: { message: 'Logged out' } }),
    }),
  ],
  async handle(refreshToken, context) {
    const session = await closeSession(context.ports, refreshToken);
    if (session !== null) await noteLogout(context, session);
  },
});

export const authEndpoints = [login, refresh, logout, me, changeOwnPassword, ...consoleSignIn];
