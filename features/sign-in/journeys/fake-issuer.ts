import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { systemClock } from '#infra/system/time.ts';

interface Asked {
  readonly nonce: string;
  readonly challenge: string;
}

/** An identity provider that can be made to lie. */
export interface FakeIssuer {
  readonly url: string;
  /** Claims of the person. */
  person: Record<string, unknown>;
  /** Changes claims of the ID token. */
  lie: (claims: Record<string, unknown>) => Record<string, unknown>;
  signature: 'right' | 'none' | 'foreign';
  /** Status of the token endpoint when it refuses; null: it answers. */
  refuses: { readonly status: number; readonly error: string } | null;
  givesRefreshTokens: boolean;
  /** Signs the person in; returns the address of the callback. */
  approve(authorization: string): string;
  readonly refreshes: number;
  stop(): void;
}

export const CLIENT = 'faultline';
const KID = 'one';

export async function openFakeIssuer(): Promise<FakeIssuer> {
  const [{ privateKey, publicKey }, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(publicKey)), kid: KID, use: 'sig', alg: 'RS256' };
  const codes = new Map<string, Asked>();
  let [refreshes, given] = [0, 0];
  const now = (): number => Math.floor(systemClock.now() / 1_000);
  const idToken = async (nonce: string | undefined): Promise<string> => {
    const base = { iss: fake.url, aud: CLIENT, iat: now(), exp: now() + 300, nonce, ...fake.person };
    const claims = JSON.parse(JSON.stringify(fake.lie(base))) as Record<string, unknown>;
    if (fake.signature === 'none') return new UnsecuredJWT(claims).encode();
    const key = fake.signature === 'foreign' ? foreign.privateKey : privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KID }).sign(key);
  };
  const token = async (form: URLSearchParams): Promise<[number, object]> => {
    if (fake.refuses !== null) return [fake.refuses.status, { error: fake.refuses.error }];
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const code = form.get('code') ?? '';
    const asked = codes.get(code);
    codes.delete(code);
    if (isRefresh) refreshes += 1;
    else if (asked === undefined) return [400, { error: 'invalid_grant' }];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(form.get('code_verifier') ?? ''));
    if (!isRefresh && Buffer.from(digest).toString('base64url') !== asked?.challenge)
      return [400, { error: 'invalid_grant' }];
    const refresh = fake.givesRefreshTokens ? { refresh_token: `refresh-${refreshes}` } : {};
    const id = await idToken(asked?.nonce);
    return [200, { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: id, ...refresh }];
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const answers: Readonly<Record<string, () => Promise<[number, object]> | [number, object]>> = {
      '/.well-known/openid-configuration': () => [
        200,
        {
          issuer: fake.url,
          authorization_endpoint: `${fake.url}/authorize`,
          token_endpoint: `${fake.url}/token`,
          jwks_uri: `${fake.url}/jwks`,
          authorization_response_iss_parameter_supported: true,
          id_token_signing_alg_values_supported: ['RS256'],
        },
      ],
      '/jwks': () => [200, { keys: [jwk] }],
      '/token': () => token(new URLSearchParams(body)),
    };
    const [status, reply] = (await answers[request.url ?? '']?.()) ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { sub: 'ann-1', preferred_username: 'ann', name: 'Ann', groups: ['sre-eu'] },
    lie: (claims) => claims,
    signature: 'right',
    refuses: null,
    givesRefreshTokens: true,
    approve(authorization) {
      const { searchParams: asked } = new URL(authorization);
      given += 1;
      const code = `code-${given}`;
      codes.set(code, { nonce: asked.get('nonce') ?? '', challenge: asked.get('code_challenge') ?? '' });
      const callback = new URL(asked.get('redirect_uri') ?? '');
      callback.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: fake.url }).toString();
      return callback.href;
    },
    get refreshes() {
      return refreshes;
    },
    stop: () => void server.close(),
  };
  return fake;
}
