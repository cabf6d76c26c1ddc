import { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { cisAt, NEWEST } from '#application/cmdb/at-address.ts';
import { invalid } from '#domain/fault.ts';
import type { CiFilter } from '#domain/ports/topology/topology-queries.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { addressedCi, FoundAddresses, FoundByIp, foundAddresses } from '#schemas/http/cmdb/address.ts';
import { BARE_ADDRESS_PATTERN } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { type CiDetails, detailOf } from './ci-detail.ts';

/** The CIs that the store found by these addresses: those with it as `ip_address` first, then the newest. */
interface IpSearch {
  readonly ip: string;
  readonly query: CiFilter & typeof NEWEST;
  readonly cis: readonly Ci[];
}

/** Throws Fault `invalid` for text that is no address. */
async function search(context: Context, text: string): Promise<IpSearch> {
  const ip = canonicalAddress(text);
  if (ip === null) throw invalid('ip', 'expected an IPv4 or IPv6 address');
  return { ip, query: { ip, ...NEWEST }, cis: await cisAt(context, ip) };
}

const params = z.object({ ip: z.string().meta({ pattern: BARE_ADDRESS_PATTERN }) });
const common = { tag: 'CMDB', limit: 'standard' } as const;

export const findCiByIp = endpoint<string, CiDetails | null>({
  ...common,
  id: 'cmdb.find-ci-by-ip',
  summary: 'Find a configuration item by IP address',
  description:
    'Accepts IPv4 and IPv6 in any notation. Searches ip_address, all_ip_addresses and all address-like fields of attributes and custom fields, including nested ones. Prefers a match on ip_address, then the newest CI.',
  permission: 'cmdb.read',
  mounts: on.platform.get('/ci/find-by-ip/{ip}', {
    params,
    reply: wrapped(FoundByIp),
    read: ({ params: { ip } }) => ip,
    present: (detail) => ({
      body: {
        found: detail !== null,
        ci: detail === null ? null : addressedCi(detail.ci, detail.seen, detail.lastSeen),
      },
    }),
  }),
  async handle(text, context) {
    const { cis } = await search(context, text);
    return cis[0] === undefined ? null : detailOf(context, cis[0]);
  },
});

export const debugFindCiByIp = endpoint<string, IpSearch>({
  ...common,
  id: 'debug.find-ci-by-ip',
  summary: 'Debug the CI lookup by IP address',
  permission: 'debug.read',
  mounts: on.platform.get('/debug/find-ci-by-ip/{ip}', {
    params,
    reply: wrapped(FoundAddresses),
    read: ({ params: { ip } }) => ip,
    present: (found) => ({ body: foundAddresses(found) }),
  }),
  handle: (text, context) => search(context, text),
});
