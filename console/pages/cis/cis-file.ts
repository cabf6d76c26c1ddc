import { type CiRow, listCis } from '#console/api/cmdb/cmdb.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type { CsvField, CsvPage } from '#console/data/csv/csv.ts';

const PAGE = 100;

const attributesOf = ({ attributes }: CiRow): string =>
  Object.entries(attributes ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');

export const CI_FIELDS: readonly CsvField<CiRow>[] = [
  ['CI ID', ({ _id }) => _id],
  ['Name', ({ name }) => name],
  ['Type', ({ type }) => type],
  ['Status', ({ status }) => status],
  ['Attributes', attributesOf],
];

export const cisFile =
  (asked: AddressQuery) =>
  async (call: Call, cursor: string | undefined): Promise<CsvPage<CiRow>> => {
    const page = cursor === undefined ? 1 : Number(cursor);
    const { data, pagination } = await listCis(call, { ...asked, limit: PAGE, page });
    return { data, pagination: { nextCursor: page * PAGE < pagination.total ? String(page + 1) : null } };
  };
