import { z } from 'zod';
import type { Context, Presented } from '#api/surfaces/endpoint.ts';
import { countAttempt } from '#application/access/attempts.ts';
import { Fault } from '#domain/fault.ts';
import { addressBlock } from '#domain/topology/address.ts';
import type { Issuer } from '#features/sign-in/rules/issuer.ts';

/** Starts and ends of attempts per address and minute. */
const PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export const common = { tag: 'Authentication', permission: null, limit: 'none' } as const;

/** Throws Fault `not-found`. */
export const issuerOf = ({ ports: { issuer } }: Context): Issuer => {
  if (issuer === null) throw new Fault('not-found', 'Single sign-on is not configured (FAULTLINE_OIDC_ISSUER)');
  return issuer;
};

/** Throws Fault `rate-limited`. */
export const limit = ({ ports, address }: Context, name = 'oidc', perMinute = PER_MINUTE): Promise<void> =>
  countAttempt(
    ports,
    { key: `${name}:${addressBlock(address)}`, limit: perMinute, windowMs: MINUTE_MS },
    'Too many sign-ins. Try again later',
  );

export interface Redirect {
  readonly to: string;
  readonly cookie: string | null;
}

const presentRedirect = ({ to, cookie }: Redirect): Presented => ({
  status: 302,
  headers: { Location: to, 'Cache-Control': 'no-store', ...(cookie !== null && { 'Set-Cookie': cookie }) },
  raw: { type: 'text/plain; charset=utf-8', content: 'Continue in the browser\n' },
  body: undefined,
});
export const redirecting = {
  status: 302,
  reply: z.string(),
  replyType: 'text/plain; charset=utf-8',
  replyHeaders: ['Location', 'Set-Cookie'],
  present: presentRedirect,
} as const;
