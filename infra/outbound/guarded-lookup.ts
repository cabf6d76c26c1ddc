import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type Allowed, isCallable } from './public-address.ts';

/** All addresses of a name, as `dns.lookup` tells them. */
export type ResolveHost = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The name leads to an address that is not called. */
export class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS';
}

/**
 * The look-up of a connection: what it gives back is what is connected to, so a name cannot change its answer in between. One address
 * that is not public refuses them all.
 */
export const guardedLookup =
  (resolve: ResolveHost, allowed: Allowed): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isCallable(address, allowed)))
        return done(new RefusedAddress(`${host} leads to an address that is not public`), []);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
