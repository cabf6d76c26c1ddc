import { closeSession, type Issued, refreshSession } from '#api/access/sessions.ts';
import { endpoint, mount } from '#api/endpoint.ts';
import { Login, LoginRequest, RefreshRequest } from '#schemas/http/auth.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { type LoginInput, logIn } from './login.ts';

const shown = ({ token, refreshToken, expiresIn, tenant, user: { id, username, name, role } }: Issued) => ({
  body: { token, refreshToken, expiresIn, user: { _id: id, username, name, role, tenant } },
  headers: { 'cache-control': 'no-store' },
});

export const login = endpoint<LoginInput, Issued>({
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
      present: shown,
    }),
  ],
  handle: (input, { ports, address }) => logIn(ports, input, address),
});

export const refresh = endpoint<string, Issued>({
  id: 'auth.refresh',
  summary: 'Exchange a refresh token for new tokens',
  description: 'The refresh token is used up. Using one twice ends the login it belongs to.',
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
      present: shown,
    }),
  ],
  handle: (refreshToken, { ports }) => refreshSession(ports, refreshToken),
});

export const logout = endpoint<string, void>({
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
  handle: (refreshToken, { ports }) => closeSession(ports, refreshToken),
});

export const authEndpoints = [login, refresh, logout];
