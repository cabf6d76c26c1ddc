import { clearCookie, cookieName, cookieOf } from '#api/surfaces/console-cookie.ts';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { noteLogout } from '#application/access/login-trail.ts';
import { closeSession } from '#application/access/sessions.ts';
import { common, type Redirect, redirecting } from './kit.ts';

/** Null: the session there ends by itself. */
const endAtIssuer = async ({ ports: { issuer } }: Context, hint: string | undefined, home: string) =>
  hint === undefined || issuer === null ? null : issuer.signOutUrl(hint, home).catch(() => null);

/** The cookie is not sent with links of other sites, which therefore end nothing. */
export const signOut = endpoint<string, Redirect>({
  ...common,
  id: 'auth.oidc.sign-out',
  summary: 'Sign out here and at the issuer',
  description:
    'Redirects a browser to the end-session endpoint of the identity provider (RP-initiated logout), or to the console.',
  mounts: on.platform.get('/auth/oidc/sign-out', { ...redirecting, read: ({ headers }) => headers.cookie ?? '' }),
  async handle(cookies, context) {
    const { ports, baseUrl } = context;
    const name = await cookieName(ports);
    const value = cookieOf(cookies, name);
    const session = value === null ? null : await closeSession(ports, value);
    if (session !== null) await noteLogout(context, session);
    const home = `${baseUrl}/ui/`;
    const to = (await endAtIssuer(context, session?.console?.signOutHint, home)) ?? home;
    return { to, cookie: clearCookie({ name, baseUrl, isSecure: baseUrl.startsWith('https:') }) };
  },
});
