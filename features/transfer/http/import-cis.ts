import { ciEntry } from '#application/cmdb/change-entries.ts';
import { resolveCis } from '#application/cmdb/resolve-cis.ts';
import { itemAt } from '#domain/assert.ts';
import { changedFields } from '#domain/topology/ci-diff.ts';
import { ciLineKey, planCi } from '#domain/topology/import.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { ciTypeWarning } from '#domain/topology/vocabulary.ts';
import { writtenByImport } from '#features/discovery/rules/provenance.ts';
import { CI_BAGS, CI_COLUMNS, CiRow, type CiRowInput } from '#features/transfer/schemas/transfer.ts';
import { CI_FOREIGN } from './foreign-columns.ts';
import type { Importer } from './import-file.ts';

export const ciImporter: Importer<CiRowInput, Ci> = {
  schema: CiRow,
  columns: { names: CI_COLUMNS, bags: CI_BAGS, texts: new Set(), foreign: CI_FOREIGN },
  keyOf: ciLineKey,
  keyMissing: 'external_key, or name and type, are required',
  async plan(context, lines) {
    const { tenant, ports, caller, receivedAt: at } = context;
    const meant = await resolveCis(
      context,
      lines.map(({ value }) => value),
    );
    const by = writtenByImport(caller.id);
    return lines.map(({ value }, index) =>
      planCi(value, itemAt(meant, index), { tenant, newId: ports.ids.ulid(), at, by }),
    );
  },
  write: ({ ports, tenant }, cis, sideRecords) => ports.cis.put(tenant, cis, sideRecords),
  met: ({ ports, tenant, receivedAt: at }, cis) =>
    ports.cis.seen(
      tenant,
      cis.map(({ id }) => ({ ci: id, at })),
    ),
  changes: changedFields,
  warning: ({ type }) => (type === undefined ? null : ciTypeWarning(type)),
  entry: ciEntry,
};
