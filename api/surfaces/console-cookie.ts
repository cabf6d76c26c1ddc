import { REFRESH_TTL_S } from '#application/access/sessions.ts';
import { instanceName } from '#application/console/instance-name.ts';
import type { Ports } from '#domain/ports/ports.ts';

export const cookieName = async (ports: Ports): Promise<string> => `faultline_${await instanceName(ports)}`;

/** The value of the cookie of that name, or null. */
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

/** Path of the server as browsers see it. */
export const pathOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).pathname : '/');

const attributes = ({ baseUrl, isSecure }: CookieOptions): string => {
  const secure = isSecure || baseUrl.startsWith('https://') ? '; Secure' : '';
  return `; Path=${pathOf(baseUrl)}; HttpOnly; SameSite=Strict${secure}`;
};

/** Stored for 30 days, or until the browser is closed. */
export const setCookie = (value: string, remember: boolean, options: CookieOptions): string =>
  `${options.name}=${value}${attributes(options)}${remember ? `; Max-Age=${REFRESH_TTL_S}` : ''}`;

export const clearCookie = (options: CookieOptions): string => `${options.name}=${attributes(options)}; Max-Age=0`;
