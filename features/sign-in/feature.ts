import { MINUTE_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { signInEndpoints } from './http/endpoints.ts';
import { SIGN_IN_KINDS } from './rules/issuer.ts';
import { checkPeople } from './use-cases/check-people.ts';

export const signIn = feature({
  id: 'sign-in',
  uses: [],
  endpoints: signInEndpoints,
  jobs: [
    {
      name: 'check-sign-ins',
      everyMs: MINUTE_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => checkPeople(ports, isStopping),
    },
  ],
  ownedKinds: [SIGN_IN_KINDS.person],
  provide: async ({ config: { oidc, proxySignIn }, ports: { outbound } }) => {
    if (oidc === null) return { ports: { issuer: null, proxySignIn } };
    const { openIssuer } = await import('./stores/open-issuer.ts');
    return { ports: { proxySignIn, issuer: openIssuer({ ...oidc, fetch: outbound.fetch }) } };
  },
});
