import { REFRESH_TTL_S } from '#application/access/sessions.ts';
import { instanceName } from '#application/console/instance-name.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Headers of a request of the console. */
export interface FromConsole {
  readonly cookies: string;
  /** It came by https, as the browser says. */
  readonly isSecure: boolean;
  /** No proxy has told of another caller. */
  readonly isDirect: boolean;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** Sec-Fetch-Site; browsers leave it out where they do not trust the connection. */
  readonly site: string | undefined;
  readonly type: string | undefined;
}

export const fromConsole = (headers: Headers): FromConsole => ({
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

/** Only this server's own page may use the cookie. Throws Fault `forbidden`; `invalid` for what a form could send. */
export const requireOwnPage = ({ site, origin, host, type }: FromConsole, publicUrl: string): void => {
  if (type === undefined || !JSON_TYPE.test(type)) throw invalid('Content-Type', 'expected application/json');
  const own = origin === undefined ? null : hostOf(origin);
  const isOwn = own !== null && (own === host || own === hostOf(publicUrl));
  if (site === undefined ? !isOwn : site !== 'same-origin')
    throw new Fault('forbidden', 'Only the console of this server may use its cookie');
};

export const cookieName = async (ports: Ports): Promise<string> => `faultline_${await instanceName(ports)}`;

/** The refresh token of this Faultline's cookie, or null. */
export const cookieOf = (cookies: string, name: string): string | null => {
  const found = cookies.split(';').find((pair) => pair.trim().startsWith(`${name}=`));
  const value = found?.slice(found.indexOf('=') + 1).trim();
  return value === undefined || value === '' ? null : value;
};

export interface CookieOptions {
  readonly name: string;
  /** The public URL, or empty. */
  readonly baseUrl: string;
  readonly isSecure: boolean;
}

const attributes = ({ baseUrl, isSecure }: CookieOptions): string => {
  const path = URL.canParse(baseUrl) ? new URL(baseUrl).pathname : '/';
  const secure = isSecure || baseUrl.startsWith('https://') ? '; Secure' : '';
  return `; Path=${path}; HttpOnly; SameSite=Strict${secure}`;
};

/** Kept for 30 days, or until the browser is closed. */
export const setCookie = (value: string, remember: boolean, options: CookieOptions): string =>
  `${options.name}=${value}${attributes(options)}${remember ? `; Max-Age=${REFRESH_TTL_S}` : ''}`;

export const clearCookie = (options: CookieOptions): string => `${options.name}=${attributes(options)}; Max-Age=0`;
