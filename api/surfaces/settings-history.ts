import type { z } from 'zod';
import {
  listVersions,
  restoreVersion,
  type SettingsPlace,
  type SettingsVersion,
  type StoredTenantSettings,
} from '#application/tenants/settings.ts';
import { SettingsRestore, SettingsVersions } from '#schemas/http/admin/settings-history.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { isoOrNull } from '#schemas/http/time.ts';
import { type AnyEndpoint, type Context, endpoint, type Mount, mount } from './endpoint.ts';

interface SettingsHistoryPlace {
  /** `admin.settings.correlation`; the words of its endpoints. */
  readonly id: string;
  readonly words: string;
  readonly place: SettingsPlace;
  /** Parts of the mounts of the settings themselves. */
  readonly at: Pick<Mount<never, StoredTenantSettings>, 'on' | 'path' | 'reply' | 'replyHeaders' | 'present'>;
  /** Bounds of today, which an earlier version may exceed. */
  readonly body: z.ZodType;
  /** Discards values computed from the settings. */
  readonly changed?: (context: Context) => void;
}

const versionView = ({ revision, at, by, overrides }: SettingsVersion) => ({
  revision,
  at: isoOrNull(at),
  by: by && { _id: by.id, username: by.username, name: by.name },
  overrides,
});

/** Endpoints that list earlier versions of settings, and restore one. */
export const settingsHistory = (history: SettingsHistoryPlace): readonly AnyEndpoint[] => {
  const { id, words, place, at, body, changed } = history;
  const tag = 'Administration';
  const list = endpoint<void, readonly SettingsVersion[]>({
    tag,
    id: `${id}.history`,
    summary: `List versions of ${words}`,
    description: 'Newest first, at most 50 changes and the settings before them.',
    permission: 'settings.read',
    mounts: mount({
      on: at.on,
      method: 'get',
      path: `${at.path}/history`,
      reply: wrapped(SettingsVersions),
      read: () => undefined,
      present: (versions: readonly SettingsVersion[]) => ({ body: versions.map(versionView) }),
    }),
    handle: (_, context) => listVersions(context, place),
  });
  const restore = endpoint<number, StoredTenantSettings>({
    tag,
    alsoFaults: ['not-found', 'unprocessable'],
    conditional: true,
    id: `${id}.restore`,
    summary: `Restore a version of ${words}`,
    description: 'Replaces all settings by those of the version. The current settings remain in the history.',
    permission: 'settings.manage',
    mounts: mount({
      ...at,
      method: 'post',
      path: `${at.path}/restore`,
      body: SettingsRestore,
      read: ({ body: { revision } }) => revision,
    }),
    async handle(revision, context) {
      const fits = (overrides: unknown): boolean => body.safeParse(overrides).success;
      const restored = await restoreVersion(context, place, revision, fits);
      changed?.(context);
      return restored;
    },
  });
  return [list, restore];
};
