import { createHash, hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as client from 'openid-client';
import type { OutboundFetch } from '#domain/ports/outbound.ts';
import type { Issuer, ProvenIdentity } from '#features/sign-in/rules/issuer.ts';

interface IssuerOptions {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: string;
  readonly fetch: OutboundFetch;
}

const TIMEOUT_S = 10;
const SKEW_S = 60;
/** Keys are read again when one is unknown; other metadata as often as this. */
const METADATA_MS = 3_600_000;

const authOf = (methods: readonly string[] | undefined, secret: string | null): client.ClientAuth => {
  if (secret === null) return client.None();
  return methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret);
};

/** Metadata are read when they are needed: an issuer that is down holds up no start. */
const configurations = ({ url, clientId, clientSecret, fetch }: IssuerOptions) => {
  let known: { readonly at: number; readonly configuration: client.Configuration } | undefined;
  const insecure = url.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const discover = async (): Promise<client.Configuration> => {
    const execute = [...insecure, client.enableNonRepudiationChecks];
    const found = await client.discovery(new URL(url), clientId, undefined, client.None(), {
      execute,
      timeout: TIMEOUT_S,
      [client.customFetch]: fetch as client.CustomFetch,
    });
    const server = found.serverMetadata();
    const auth = authOf(server.token_endpoint_auth_methods_supported, clientSecret);
    const configuration = new client.Configuration(server, clientId, { [client.clockTolerance]: SKEW_S }, auth);
    configuration.timeout = TIMEOUT_S;
    configuration[client.customFetch] = fetch as client.CustomFetch;
    for (const each of execute) each(configuration);
    return configuration;
  };
  return async (): Promise<client.Configuration> => {
    const now = performance.now();
    if (known === undefined || now - known.at > METADATA_MS) known = { at: now, configuration: await discover() };
    return known.configuration;
  };
};

type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;

/** Groups often are at the userinfo endpoint only. */
async function identityOf(
  configuration: client.Configuration,
  tokens: Tokens,
  subject: string,
): Promise<Omit<ProvenIdentity, 'sealedToken' | 'signOutHint'>> {
  const inToken = tokens.claims() ?? {};
  const person = { method: 'oidc', subject } as const;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return { ...person, claims: { ...inToken } };
  const told = await client.fetchUserInfo(configuration, tokens.access_token, subject);
  return { ...person, claims: { ...told, ...inToken } };
}

const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_grant',
  'access_denied',
  'invalid_token',
  'unauthorized_client',
]);

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628 section 3.2. */
const INTERVAL_S = 5;
/** Seals of these are of no person. */
const [DEVICE, HINT] = ['device code', 'sign-out hint'];

const deviceErrors: Readonly<Record<string, 'pending' | 'slow-down' | 'ended'>> = {
  authorization_pending: 'pending',
  slow_down: 'slow-down',
  access_denied: 'ended',
  expired_token: 'ended',
  invalid_grant: 'ended',
};

const isRefusal = (error: unknown): boolean =>
  (error instanceof client.ResponseBodyError && REFUSALS.has(error.error)) ||
  (error instanceof client.WWWAuthenticateChallengeError && [401, 403].includes(error.status));

/** Access to the stores gives no token of the issuer, since the key is derived from the client's secret. Bound to the subject. */
const tokenSeal = (clientId: string, clientSecret: string | null) => {
  const key = new Uint8Array(hkdfSync('sha256', clientSecret ?? '', clientId, 'faultline refresh tokens', 32));
  return {
    sealed: async (subject: string, token: string | undefined): Promise<string | null> =>
      token === undefined
        ? null
        : new EncryptJWT({ token }).setSubject(subject).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key),
    opened: async (subject: string, sealed: string): Promise<string | null> => {
      try {
        return (await jwtDecrypt<{ token: string }>(sealed, key, { subject })).payload.token;
      } catch {
        return null;
      }
    },
  };
};

/** Issuers give a refresh token for use without the person only after a consent. */
const consentOf = (scopes: string) => (scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {});

const deviceSignIn = (
  configured: () => Promise<client.Configuration>,
  { sealed, opened }: ReturnType<typeof tokenSeal>,
  scopes: string,
  identityFrom: (configuration: client.Configuration, tokens: Tokens) => Promise<ProvenIdentity>,
): Pick<Issuer, 'beginDevice' | 'askDevice'> => ({
  async beginDevice() {
    const configuration = await configured();
    if (configuration.serverMetadata().device_authorization_endpoint === undefined) return null;
    // Keycloak requires PKCE here, too, if the client must use it.
    const verifier = client.randomPKCECodeVerifier();
    const asked = {
      scope: scopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...consentOf(scopes),
    };
    try {
      const begun = await client.initiateDeviceAuthorization(configuration, asked);
      return {
        device: (await sealed(DEVICE, `${verifier}.${begun.device_code}`)) as string,
        userCode: begun.user_code,
        verificationUri: begun.verification_uri,
        completeUri: begun.verification_uri_complete ?? null,
        expiresIn: begun.expires_in,
        interval: begun.interval ?? INTERVAL_S,
      };
    } catch (error) {
      if (error instanceof client.ResponseBodyError) return null;
      throw error;
    }
  },
  async askDevice(device) {
    const both = await opened(DEVICE, device);
    if (both === null) return 'ended';
    const [verifier = '', ...code] = both.split('.');
    const asked = { device_code: code.join('.'), code_verifier: verifier };
    const configuration = await configured();
    try {
      const tokens = await client.genericGrantRequest(configuration, DEVICE_GRANT, asked);
      return await identityFrom(configuration, tokens);
    } catch (error) {
      const outcome = error instanceof client.ResponseBodyError ? deviceErrors[error.error] : undefined;
      if (outcome === undefined) throw error;
      return outcome;
    }
  },
});

export const openIssuer = (options: IssuerOptions): Issuer => {
  const configured = configurations(options);
  const { url, clientSecret, clientId } = options;
  const seal = tokenSeal(clientId, clientSecret);
  const { sealed, opened } = seal;
  const identityFrom = async (configuration: client.Configuration, tokens: Tokens): Promise<ProvenIdentity> => {
    const subject = tokens.claims()?.sub;
    if (subject === undefined) throw new Error('The ID token names no subject');
    return {
      ...(await identityOf(configuration, tokens, subject)),
      sealedToken: await sealed(subject, tokens.refresh_token),
      signOutHint: await sealed(HINT, tokens.id_token),
    };
  };
  return {
    url,
    sealKey: createHash('sha256').update(`faultline sign-in\n${clientId}\n${clientSecret}`).digest('base64'),
    async begin(redirectUri, { state, nonce, verifier }) {
      const address = client.buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope: options.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...consentOf(options.scopes),
      });
      return address.href;
    },
    async finish(callback, { state, nonce, verifier }) {
      const configuration = await configured();
      const tokens = await client.authorizationCodeGrant(configuration, new URL(callback), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return identityFrom(configuration, tokens);
    },
    ...deviceSignIn(configured, seal, options.scopes, identityFrom),
    async signOutUrl(hint, returnTo) {
      const configuration = await configured();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      const idToken = await opened(HINT, hint);
      const asked = { post_logout_redirect_uri: returnTo, ...(idToken !== null && { id_token_hint: idToken }) };
      return client.buildEndSessionUrl(configuration, asked).href;
    },
    async again(subject, sealedToken) {
      const refreshToken = await opened(subject, sealedToken);
      if (refreshToken === null) return 'ended';
      try {
        const configuration = await configured();
        const tokens = await client.refreshTokenGrant(configuration, refreshToken);
        const claims = await identityOf(configuration, tokens, subject);
        const sealedToken = await sealed(subject, tokens.refresh_token ?? refreshToken);
        return { ...claims, sealedToken, signOutHint: null };
      } catch (error) {
        return isRefusal(error) ? 'ended' : 'unreachable';
      }
    },
  };
};
