import { z } from 'zod';
import { addressFields } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { alias } from '#schemas/http/common.ts';
import { CiDetail, ciDetail, type SeenRelationship } from './cmdb.ts';

/** CIs that were found by an IP address. */

/** Its custom fields have the addresses, under the name that they have here (docs/specification.md §10). */
const AddressedCi = CiDetail.extend({
  custom_fields: alias(CiDetail.shape.custom_fields.optional()),
  customFields: z.record(z.string(), z.unknown()).meta({ description: 'CI with ip_address and all_ip_addresses' }),
}).meta({ id: 'AddressedCi' });
export const FoundByIp = z.object({ found: z.boolean(), ci: AddressedCi.nullable() }).meta({ id: 'FoundByIp' });
export const FoundAddresses = z
  .object({
    searchedIp: z.string().meta({ description: 'Canonical form of the address' }),
    query: z.record(z.string(), z.unknown()).meta({ description: 'Query sent to the store' }),
    results: z.array(
      z.object({
        _id: z.string(),
        name: z.string(),
        type: z.string(),
        matchedFields: z.array(z.string()).meta({ description: 'Field that contains the address' }),
        all_ip_addresses: z.array(z.string()),
      }),
    ),
    found: z.boolean(),
  })
  .meta({ id: 'FoundAddresses' });

const allAddresses = (ci: Ci): string[] => [...new Set(addressFields(ci).map(({ address }) => address))];

/** Custom fields `ip_address` and `all_ip_addresses` are filled from all known addresses. */
export const addressedCi = (
  ci: Ci,
  seen: readonly SeenRelationship[],
  lastSeen: number | undefined,
): z.output<typeof CiDetail> => {
  const all = allAddresses(ci);
  const filled = { ...ci.customFields, ip_address: ci.customFields.ip_address ?? all[0], all_ip_addresses: all };
  return { ...ciDetail(ci, seen, lastSeen), customFields: filled };
};

export const foundAddresses = (search: {
  readonly ip: string;
  readonly query: object;
  readonly cis: readonly Ci[];
}): z.output<typeof FoundAddresses> => ({
  searchedIp: search.ip,
  query: { ...search.query },
  results: search.cis.map((ci) => ({
    _id: ci.id,
    name: ci.name,
    type: ci.type,
    matchedFields: addressFields(ci)
      .filter(({ address }) => address === search.ip)
      .map(({ field }) => field),
    all_ip_addresses: allAddresses(ci),
  })),
  found: search.cis.length > 0,
});
