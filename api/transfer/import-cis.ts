import { ciEntry } from '#api/cmdb/change-entries.ts';
import type { Context } from '#api/endpoint.ts';
import { writtenByImport } from '#domain/discovery/provenance.ts';
import { MATCH_KEYS, type MachineKeys } from '#domain/ports/topology-store.ts';
import { type CiLine, ciLineKey, isMeant, planCi } from '#domain/topology/import.ts';
import { nameKey } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { CiRow, type CiRowInput } from '#schemas/http/transfer.ts';
import type { Importer, Line } from './import-file.ts';

const NOTHING: MachineKeys = {
  ...{ external_key: [], serial_number: [], mac_address: [] },
  ...{ fqdn: [], hostname: [], ip_address: [] },
};
const keysOf = ({ external_key, name }: CiLine): MachineKeys =>
  external_key === undefined
    ? { ...NOTHING, fqdn: name === undefined ? [] : [nameKey(name)] }
    : { ...NOTHING, external_key: [external_key] };

/** CIs that may be meant by each line. */
const candidates = async ({ ports, tenant }: Context, lines: readonly Line<CiRowInput>[]): Promise<Ci[][]> => {
  const matched = await ports.topology.match(
    tenant,
    lines.map(({ value }) => keysOf(value)),
  );
  const ids = matched.map((found) => MATCH_KEYS.flatMap((key) => found[key]));
  const cis = new Map((await ports.topology.getCis(tenant, [...new Set(ids.flat())])).map((ci) => [ci.id, ci]));
  return ids.map((its) => [...new Set(its)].flatMap((id) => cis.get(id) ?? []));
};

export const ciImporter: Importer<CiRowInput, Ci> = {
  schema: CiRow,
  textColumns: new Set(),
  keyOf: ciLineKey,
  keyMissing: 'external_key, or name and type, are needed',
  async plan(context, lines) {
    const { tenant, ports, caller, receivedAt: at } = context;
    const found = await candidates(context, lines);
    const by = writtenByImport(caller.id);
    return lines.map(({ value }, index) => {
      const meant = found[index]!.filter((ci) => isMeant(value, ci));
      return planCi(value, meant, { tenant, newId: ports.ids.ulid(), at, by });
    });
  },
  write: ({ ports, tenant }, cis, along) => ports.topology.putCis(tenant, cis, along),
  entry: ciEntry,
};
