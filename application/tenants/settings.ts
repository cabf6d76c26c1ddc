import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { mergeOverrides } from '#domain/merge-patch.ts';

type Overrides = Readonly<Record<string, unknown>>;

/** Where overrides are kept, and what they are called in the audit. */
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

/** What the tenant has changed; empty when nothing. */
export const readOverrides = async (
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  { kind, id }: SettingsPlace,
): Promise<Overrides> => (await ports.records.get<Overrides>(tenant, kind, id))?.body ?? {};

const revise = async (
  context: UseCaseContext,
  { kind, id, action }: SettingsPlace,
  change: (before: Overrides) => Overrides,
): Promise<Overrides> => {
  const { records } = context.ports;
  const stored = await records.get<Overrides>(context.tenant, kind, id);
  const before = stored?.body ?? {};
  const after = change(before);
  const entry = audited(context, { action, target: { kind, id }, before, after });
  await records.put(context.tenant, kind, id, after, { expected: stored?.revision ?? 0, sideRecords: [entry] });
  return after;
};

/** Lays a patch over the overrides (null gives back the default) and audits it. Returns the new overrides. */
export const patchOverrides = (context: UseCaseContext, place: SettingsPlace, patch: Overrides): Promise<Overrides> =>
  revise(context, place, (before) => mergeOverrides(before, patch));

/** Puts others in place of the overrides and audits it. */
export const replaceOverrides = (
  context: UseCaseContext,
  place: SettingsPlace,
  overrides: Overrides,
): Promise<Overrides> => revise(context, place, () => overrides);
