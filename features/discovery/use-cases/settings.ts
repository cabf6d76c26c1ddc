import type { RecordStore } from '#domain/ports/record-store.ts';
import type { Authority } from '#features/discovery/rules/provenance.ts';
import { DEFAULT_AUTHORITY } from '#features/discovery/rules/provenance.ts';

/** Changes of a tenant to settings of discovery; kind `settings`. */
export const DISCOVERY_SETTINGS = 'discovery';

/** Sources, the one with most authority first. */
export const authorityOf = async (records: RecordStore, tenant: string): Promise<Authority> => {
  const stored = await records.get<{ authority?: Authority }>(tenant, 'settings', DISCOVERY_SETTINGS);
  return stored?.body.authority ?? DEFAULT_AUTHORITY;
};
