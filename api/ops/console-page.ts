/** Base element of `console/index.html` and its build. */
const BASE = '<base href="./">';
const NONCE = 'nonce="NONCE"';
const ROOT = '/ui';

/**
 * Returns the path from an address up to `ui/`, regardless of a prefix removed by a proxy: `../` for `/ui/groups/1`.
 */
export const wayToRoot = (path: string): string => {
  const steps = path.slice(ROOT.length).split('/').length - 2;
  if (steps < 0) return 'ui/';
  return steps === 0 ? './' : '../'.repeat(steps);
};

/** The page for one load of this address. */
export const consolePage = (page: string, path: string, nonce: string): string =>
  page.replace(BASE, `<base href="${wayToRoot(path)}">`).replaceAll(NONCE, `nonce="${nonce}"`);

/** All resources are from this server; the kit creates style elements at run time, which have the nonce. */
export const consolePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
