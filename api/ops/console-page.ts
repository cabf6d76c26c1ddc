/** As `console/index.html` and its build write them. */
const BASE = '<base href="./">';
const NONCE = 'nonce="NONCE"';
const ROOT = '/ui';

/**
 * The way from an address up to `ui/`, whatever a proxy has taken away before it: `../` for `/ui/groups/1`.
 */
export const wayToRoot = (path: string): string => {
  const steps = path.slice(ROOT.length).split('/').length - 2;
  if (steps < 0) return 'ui/';
  return steps === 0 ? './' : '../'.repeat(steps);
};

/** The page for one load of this address. */
export const consolePage = (page: string, path: string, nonce: string): string =>
  page.replace(BASE, `<base href="${wayToRoot(path)}">`).replaceAll(NONCE, `nonce="${nonce}"`);

/** Everything comes from this server; the kit makes elements with styles while it runs, and they bear the nonce. */
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
