import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { inTurn } from '#application/records/in-turn.ts';
import { mergeOverrides } from '#domain/merge-patch.ts';

export type Overrides = Readonly<Record<string, unknown>>;

/** Place of stored overrides, and their name in the audit. */
export interface SettingsPlace {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
}
export const CORRELATION: SettingsPlace = {
  kind: 'settings',
  id: 'correlation',
  action: 'settings.correlation.updated',
};
export const INBOUND: SettingsPlace = { kind: 'settings', id: 'inbound', action: 'settings.inbound.updated' };

/** Changes of the tenant, empty when there are none, and the revision that a change is based on. */
export interface StoredTenantSettings {
  readonly overrides: Overrides;
  readonly revision: number;
}

export const readSettings = async (
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  { kind, id }: SettingsPlace,
): Promise<StoredTenantSettings> => {
  const stored = await ports.records.get<Overrides>(tenant, kind, id);
  return { overrides: stored?.body ?? {}, revision: stored?.revision ?? 0 };
};

export const readOverrides = async (
  context: Pick<UseCaseContext, 'tenant' | 'ports'>,
  place: SettingsPlace,
): Promise<Overrides> => (await readSettings(context, place)).overrides;

const revise = async (
  context: UseCaseContext,
  place: SettingsPlace,
  change: (before: Overrides) => Overrides,
): Promise<StoredTenantSettings> => {
  const { tenant, ports, ifMatch } = context;
  const { kind, id, action } = place;
  return inTurn(ports, { of: [kind, tenant, id], ifMatch }, async () => {
    const { overrides: before, revision: expected } = await readSettings(context, place);
    requireMatch(ifMatch, expected);
    const after = change(before);
    const entry = audited(context, { action, target: { kind, id }, before, after });
    const options = { expected, sideRecords: [entry] };
    const revision = await ports.records.put(tenant, kind, id, after, options);
    return { overrides: after, revision };
  });
};

/**
 * Applies a patch to the overrides (null restores the default) and audits it. Throws Fault `precondition` when If-Match
 * names another revision.
 */
export const patchOverrides = (
  context: UseCaseContext,
  place: SettingsPlace,
  patch: Overrides,
): Promise<StoredTenantSettings> => revise(context, place, (before) => mergeOverrides(before, patch));

/** Puts others in place of the overrides and audits it. */
export const replaceOverrides = (
  context: UseCaseContext,
  place: SettingsPlace,
  overrides: Overrides,
): Promise<StoredTenantSettings> => revise(context, place, () => overrides);
