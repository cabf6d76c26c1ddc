import * as text from './texts.ts';

const LONGEST_MS = 20_000;

/** True if the server has an identity provider; false when it cannot be asked. */
export async function offersSingleSignOn(root: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('api/auth/oidc', root), { signal: AbortSignal.timeout(LONGEST_MS) });
    return response.ok && ((await response.json()) as { readonly data: { readonly oidc: boolean } }).data.oidc;
  } catch {
    return false;
  }
}

/** Address that leads to the identity provider, and back to this page. */
export function singleSignOnUrl(root: string, page: string): string {
  const url = new URL('api/auth/oidc/start', root);
  url.searchParams.set('return_to', `/${page.slice(root.length)}`);
  return url.href;
}

/** Words for the outcome that the server has put into the address; undefined: there is none. */
export function signInRefusal(search: string): string | undefined {
  const outcome = new URLSearchParams(search).get('sign_in');
  if (outcome === 'unassigned') return text.noAccessAssigned;
  if (outcome === 'disabled') return text.userDisabled;
  if (outcome === 'taken') return text.usernameTaken;
  return outcome === null ? undefined : text.singleSignOnFailed;
}
