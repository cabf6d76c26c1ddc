import { z } from 'zod';
import { type CookieOptions, clearCookie, cookieName, cookieOf, setCookie } from '#api/surfaces/console-cookie.ts';
import { type Context, endpoint, mount, on, type Presented } from '#api/surfaces/endpoint.ts';
import { logIn } from '#application/access/login.ts';
import { loginAudited, noteLogin, noteLogout, reuseAudited } from '#application/access/login-trail.ts';
import { closeSession, type Issued, type Renewed, renewConsole } from '#application/access/sessions.ts';
import { useStartCode } from '#application/console/start-code.ts';
import { Fault, invalid } from '#domain/fault.ts';
import {
  ConsoleLogin,
  type ConsoleLoginInput,
  ConsoleLoginRequest,
  OwnPasswordChange,
} from '#schemas/http/admin/auth.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { changePassword } from './own-password.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Headers of a request of the console. */
interface FromConsole {
  readonly cookies: string;
  /** True if the request used https, according to the browser. */
  readonly isSecure: boolean;
  /** True if no proxy has forwarded another caller. */
  readonly isDirect: boolean;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** Sec-Fetch-Site; browsers leave it out where they do not trust the connection. */
  readonly site: string | undefined;
  readonly type: string | undefined;
}

const fromConsole = (headers: Headers): FromConsole => ({
  cookies: headers.cookie ?? '',
  isSecure: headers.origin?.startsWith('https://') === true,
  isDirect: headers['x-forwarded-for'] === undefined && headers.forwarded === undefined,
  origin: headers.origin,
  host: headers.host,
  site: headers['sec-fetch-site'],
  type: headers['content-type'],
});

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);

/**
 * Only this server's own page may use the cookie. Throws Fault `forbidden`; `invalid` for content that a form could
 * send.
 */
const requireOwnPage = ({ site, origin, host, type }: FromConsole, publicUrl: string): void => {
  if (type === undefined || !JSON_TYPE.test(type)) throw invalid('Content-Type', 'expected application/json');
  const own = origin === undefined ? null : hostOf(origin);
  const isOwn = own !== null && (own === host || own === hostOf(publicUrl));
  if (site === undefined ? !isOwn : site !== 'same-origin')
    throw new Fault('forbidden', 'Only the console of this server may use its cookie');
};

const common = {
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unauthenticated', 'forbidden', 'rate-limited'],
} as const;

/** The reply: a token for the page's memory, and the change of the cookie. */
interface SignedIn {
  readonly issued: Omit<Issued, 'refreshToken'>;
  /** Null: it stays as it is. */
  readonly cookie: string | null;
}

const presentSignedIn = ({ issued: { token, expiresIn, tenant, user }, cookie }: SignedIn): Presented => {
  const { id, username, name, role } = user;
  return {
    body: { token, expiresIn, user: { _id: id, username, name, role, tenant } },
    headers: { 'Cache-Control': 'no-store', ...(cookie !== null && { 'Set-Cookie': cookie }) },
  };
};

const optionsOf = async ({ ports, baseUrl }: Context, { isSecure }: FromConsole): Promise<CookieOptions> => ({
  name: await cookieName(ports),
  baseUrl,
  isSecure,
});

const signedIn = async (context: Context, from: FromConsole, renewed: Renewed): Promise<SignedIn> => {
  const { refreshToken, console, ...issued } = renewed;
  const options = await optionsOf(context, from);
  return { issued, cookie: refreshToken === null ? null : setCookie(refreshToken, console.remember, options) };
};

/** Nothing is read of it: a form cannot send its media type. */
const justJson = {
  bodyTypes: {
    'application/json': z.strictObject({}).meta({
      description: "Ignored and optional. The JSON Content-Type is required, because HTML forms can't send it",
    }),
  },
} as const;

interface SigningIn {
  readonly from: FromConsole;
  readonly input: ConsoleLoginInput;
}

async function byCode(context: Context, code: string, { isDirect }: FromConsole): Promise<Issued> {
  const issued = await useStartCode(context.ports, code, { address: context.address, isDirect });
  await noteLogin(context, issued);
  return issued;
}

const signIn = endpoint<SigningIn, SignedIn>({
  ...common,
  id: 'auth.console.sign-in',
  summary: 'Sign in to the console',
  description:
    'Sign in with a password, or once with the code from the first-start link. Sets the refresh token as an HttpOnly cookie used by the next two endpoints. Accepts requests from pages of this server only: `Sec-Fetch-Site: same-origin`, or an `Origin` equal to `Host`.',
  mounts: on.platform.post('/auth/console', {
    body: ConsoleLoginRequest,
    reply: wrapped(ConsoleLogin),
    replyHeaders: ['Set-Cookie'],
    read: ({ body, headers }) => ({ input: body, from: fromConsole(headers) }),
    present: presentSignedIn,
  }),
  async handle({ input, from }, context) {
    requireOwnPage(from, context.baseUrl);
    if ('code' in input) {
      const issued = await byCode(context, input.code, from);
      return signedIn(context, from, { ...issued, console: { remember: false } });
    }
    const { username, password, tenant = null, remember } = input;
    const asked = { username, password, tenant };
    const log = () => logIn(context.ports, asked, context.address, { remember });
    return signedIn(context, from, { ...(await loginAudited(context, asked, log)), console: { remember } });
  },
});

const presentedCookie = async ({ ports }: Context, { cookies }: FromConsole): Promise<string | null> =>
  cookieOf(cookies, await cookieName(ports));

const refresh = endpoint<FromConsole, SignedIn | null>({
  ...common,
  id: 'auth.console.refresh',
  summary: 'Refresh the console session',
  description:
    'Returns 204 without a cookie. The previous cookie returns a token for another 30 seconds, for concurrent tabs; after that, reuse ends the session.',
  mounts: mount({
    on: 'platform',
    method: 'post',
    path: '/auth/console/refresh',
    ...justJson,
    reply: wrapped(ConsoleLogin),
    replyHeaders: ['Set-Cookie'],
    alsoStatus: [204],
    read: ({ headers }) => fromConsole(headers),
    // Browsers log every 401, also at a first visit.
    present: (renewed) => (renewed === null ? { status: 204, body: undefined } : presentSignedIn(renewed)),
  }),
  async handle(from, context) {
    requireOwnPage(from, context.baseUrl);
    const cookie = await presentedCookie(context, from);
    if (cookie === null) return null;
    return signedIn(context, from, await reuseAudited(context, () => renewConsole(context.ports, cookie)));
  },
});

const signOut = endpoint<FromConsole, CookieOptions>({
  ...common,
  id: 'auth.console.sign-out',
  summary: 'Sign out of the console',
  mounts: mount({
    on: 'platform',
    method: 'delete',
    path: '/auth/console',
    ...justJson,
    reply: wrapped(Message),
    replyHeaders: ['Set-Cookie'],
    read: ({ headers }) => fromConsole(headers),
    present: (options) => ({ body: { message: 'Signed out' }, headers: { 'Set-Cookie': clearCookie(options) } }),
  }),
  async handle(from, context) {
    requireOwnPage(from, context.baseUrl);
    const cookie = await presentedCookie(context, from);
    const session = cookie === null ? null : await closeSession(context.ports, cookie);
    if (session !== null) await noteLogout(context, session);
    return optionsOf(context, from);
  },
});

interface Changing {
  readonly from: FromConsole;
  readonly change: { readonly currentPassword: string; readonly newPassword: string };
}

/** The login that the cookie belongs to has ended with all others, so the cookie is replaced. */
const changeInConsole = endpoint<Changing, SignedIn>({
  id: 'auth.console.password',
  summary: 'Change your password (console)',
  description:
    'Requires the current password. Ends all other sessions and returns a new token, and a new cookie if one was sent.',
  tag: 'Authentication',
  permission: null,
  anyCredential: true,
  mounts: on.platform.post('/me/password', {
    body: OwnPasswordChange,
    reply: wrapped(ConsoleLogin),
    replyHeaders: ['Set-Cookie'],
    read: ({ body, headers }) => ({
      from: fromConsole(headers),
      change: { currentPassword: body.current, newPassword: body.new },
    }),
    present: presentSignedIn,
  }),
  async handle({ from, change }, context) {
    const hadCookie = (await presentedCookie(context, from)) !== null;
    const issued = await changePassword(context, change, { remember: false });
    const made = await signedIn(context, from, { ...issued, console: { remember: false } });
    return hadCookie ? made : { ...made, cookie: null };
  },
});

export const consoleSignIn = [signIn, refresh, signOut, changeInConsole];
