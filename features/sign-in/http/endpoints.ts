import { type CookieOptions, cookieName, cookieOf, pathOf, setCookie } from '#api/surfaces/console-cookie.ts';
import { type AnyEndpoint, type Context, endpoint, mount, on } from '#api/surfaces/endpoint.ts';
import { settingsReply } from '#api/surfaces/settings-reply.ts';
import { readInstance } from '#application/access/login.ts';
import { patchOverrides, readSettings, type StoredTenantSettings } from '#application/tenants/settings.ts';
import { Fault } from '#domain/fault.ts';
import { consolePage, NO_RULES, proxiedClaims } from '#features/sign-in/rules/assignment.ts';
import {
  type Issuer,
  type ProvenIdentity,
  SIGN_IN_SETTINGS,
  type SignInAttempt,
} from '#features/sign-in/rules/issuer.ts';
import {
  CallbackQuery,
  SignInSettings,
  SignInSettingsPatch,
  SignInWays,
  StartQuery,
} from '#features/sign-in/schemas/sign-in.ts';
import { noteRefusal, SignInRefused, signInAs, useOnce } from '#features/sign-in/use-cases/sign-in.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { deviceEndpoints } from './device.ts';
import { common, issuerOf, limit, type Redirect, redirecting } from './kit.ts';
import { signOut } from './sign-out.ts';

const ATTEMPT_MS = 10 * 60_000;
const SECRET_CHARACTERS = 43;
const CALLBACK = '/api/auth/oidc/callback';

/** Not readable as an attempt of another server: it has the instance in its name. */
const attemptCookie = async ({ ports }: Context): Promise<string> => `${await cookieName(ports)}_oidc`;

const seal = ({ ports: { crypto } }: Context, { sealKey }: Issuer, attempt: SignInAttempt): string => {
  const text = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  return `${text}.${Buffer.from(crypto.hmac(sealKey, text), 'base64').toString('base64url')}`;
};

/** The attempt of this browser. Throws SignInRefused when there is none, it is not ours, or it is old. */
async function attemptOf(context: Context, issuer: Issuer, cookies: string): Promise<SignInAttempt> {
  const { crypto, clock } = context.ports;
  const [text = '', sealed] = (cookieOf(cookies, await attemptCookie(context)) ?? '').split('.');
  const expected = Buffer.from(crypto.hmac(issuer.sealKey, text), 'base64').toString('base64url');
  if (sealed === undefined || crypto.sha256(sealed) !== crypto.sha256(expected))
    throw new SignInRefused('failed', 'The browser has no attempt of this server');
  const attempt = JSON.parse(Buffer.from(text, 'base64url').toString()) as SignInAttempt;
  if (clock.now() - attempt.at > ATTEMPT_MS) throw new SignInRefused('failed', 'The attempt has expired');
  return attempt;
}

const ways = endpoint<void, boolean>({
  ...common,
  id: 'auth.oidc.ways',
  summary: 'Get the ways to sign in',
  mounts: on.platform.get('/auth/oidc', {
    reply: wrapped(SignInWays),
    read: () => undefined,
    present: (oidc: boolean) => ({ body: { oidc } }),
  }),
  handle: async (_, { ports }) => ports.issuer !== null || ports.proxySignIn !== null,
});

/** Opens the session of a proven person; after a refusal, the console shows the reason. */
const enter = async (
  context: Context,
  method: ProvenIdentity['method'],
  proven: () => Promise<{ readonly identity: ProvenIdentity; readonly returnTo: string }>,
): Promise<Redirect> => {
  try {
    const { identity, returnTo } = await proven();
    const { signOutHint } = identity;
    const session = { remember: false, ...(signOutHint !== null && { signOutHint }) };
    const { refreshToken } = await signInAs(context, identity, session);
    const options: CookieOptions = {
      name: await cookieName(context.ports),
      baseUrl: context.baseUrl,
      isSecure: context.baseUrl.startsWith('https:'),
    };
    return { to: context.baseUrl + returnTo, cookie: setCookie(refreshToken, false, options) };
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    await noteRefusal(context, error.refusal, error.message, method);
    return { to: `${context.baseUrl}/ui/?sign_in=${error.refusal}`, cookie: null };
  }
};

interface Start {
  readonly returnTo: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Null: the identity provider is asked. */
const enteredByProxy = async (context: Context, { returnTo, headers }: Start): Promise<Redirect | null> => {
  const { proxySignIn, issuer } = context.ports;
  const claims = proxySignIn === null ? null : proxiedClaims(proxySignIn, headers);
  if (claims === null && (proxySignIn === null || issuer !== null)) return null;
  await limit(context);
  return enter(context, 'proxy', async () => {
    if (claims === null) throw new SignInRefused('failed', `No trusted proxy named a user (${proxySignIn}-user)`);
    return {
      returnTo,
      identity: { method: 'proxy', subject: claims.sub, claims, sealedToken: null, signOutHint: null },
    };
  });
};

const start = endpoint<Start, Redirect>({
  ...common,
  alsoFaults: ['not-found', 'rate-limited', 'unavailable'],
  id: 'auth.oidc.start',
  summary: 'Start single sign-on',
  description:
    'Redirects a browser to the identity provider (authorization code with PKCE), or signs in the user whom a trusted proxy names.',
  mounts: on.platform.get('/auth/oidc/start', {
    ...redirecting,
    query: StartQuery,
    read: ({ query, headers }) => ({ returnTo: consolePage(query.return_to), headers }),
  }),
  async handle(input, context) {
    const entered = await enteredByProxy(context, input);
    if (entered !== null) return entered;
    const { returnTo } = input;
    const issuer = issuerOf(context);
    await limit(context);
    const { ids, clock } = context.ports;
    const [state, nonce, verifier] = [SECRET_CHARACTERS, SECRET_CHARACTERS, SECRET_CHARACTERS].map((n) =>
      ids.secret(n),
    ) as [string, string, string];
    const attempt = { state, nonce, verifier, returnTo, at: clock.now() };
    let to: string;
    try {
      to = await issuer.begin(context.baseUrl + CALLBACK, attempt);
    } catch {
      throw new Fault('unavailable', 'The identity provider does not answer. Sign in with a password', [], {
        retryAfter: 10,
      });
    }
    const secure = context.baseUrl.startsWith('https:') ? '; Secure' : '';
    const place = `; Path=${pathOf(context.baseUrl)}; HttpOnly; SameSite=Lax${secure}; Max-Age=${ATTEMPT_MS / 1_000}`;
    return { to, cookie: `${await attemptCookie(context)}=${seal(context, issuer, attempt)}${place}` };
  },
});

interface Callback {
  readonly path: string;
  readonly cookies: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** The address that the issuer has sent the browser to. */
const addressOf = ({ baseUrl }: Context, query: Callback['query']): string => {
  const url = new URL(baseUrl + CALLBACK);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (typeof one === 'string') url.searchParams.append(name, one);
  return url.href;
};

/** The library's own words are general; its causes are not. */
const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message}: ${reasonOf(cause)}` : message;

const finished = async (context: Context, issuer: Issuer, { cookies, query }: Callback) => {
  const attempt = await attemptOf(context, issuer, cookies);
  await useOnce(context.ports, attempt.state, ATTEMPT_MS);
  const identity = await issuer.finish(addressOf(context, query), attempt).catch((error: Error) => {
    throw new SignInRefused('failed', reasonOf(error));
  });
  return { identity, returnTo: attempt.returnTo };
};

const callback = endpoint<Callback, Redirect>({
  ...common,
  alsoFaults: ['not-found', 'rate-limited'],
  id: 'auth.oidc.callback',
  summary: "Sign in with the identity provider's answer",
  description: 'The identity provider redirects here. A refused sign-in leads to the console, which says why.',
  mounts: on.platform.get('/auth/oidc/callback', {
    ...redirecting,
    query: CallbackQuery,
    read: ({ query, headers, path }) => ({ query, path, cookies: headers.cookie ?? '' }),
  }),
  async handle(input, context) {
    const issuer = issuerOf(context);
    await limit(context);
    return enter(context, 'oidc', () => finished(context, issuer, input));
  },
});

const settings = {
  on: 'platform',
  path: '/admin/settings/sign-in',
  reply: wrapped(SignInSettings),
  ...settingsReply((overrides) => ({ ...NO_RULES, ...overrides })),
} as const;

/** They are of the instance, whatever tenant is acted on: a rule may grant roles in any. */
const ofInstance = async (context: Context): Promise<Context> => ({
  ...context,
  tenant: (await readInstance(context.ports)).tenant,
});

const getSettings = endpoint<void, StoredTenantSettings>({
  id: 'admin.settings.sign-in.get',
  summary: 'Get the rules of single sign-on',
  tag: 'Administration',
  permission: 'tenants.manage',
  mounts: mount({ ...settings, method: 'get', read: () => undefined }),
  handle: async (_, context) => readSettings(await ofInstance(context), SIGN_IN_SETTINGS),
});

const putSettings = endpoint<Readonly<Record<string, unknown>>, StoredTenantSettings>({
  conditional: true,
  id: 'admin.settings.sign-in.put',
  summary: 'Update the rules of single sign-on',
  description: 'Omitted fields are unchanged; null resets to default. Changes reach sessions within 15 minutes.',
  tag: 'Administration',
  permission: 'tenants.manage',
  mounts: mount({ ...settings, method: 'put', body: SignInSettingsPatch, read: ({ body }) => body }),
  handle: async (patch, context) => patchOverrides(await ofInstance(context), SIGN_IN_SETTINGS, patch),
});

export const signInEndpoints: readonly AnyEndpoint[] = [
  ways,
  start,
  callback,
  signOut,
  ...deviceEndpoints,
  getSettings,
  putSettings,
];
