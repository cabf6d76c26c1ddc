import { entityTag } from '#application/records/if-match.ts';
import type { StoredTenantSettings } from '#application/tenants/settings.ts';
import type { Context } from './endpoint.ts';

/** Returns the reply of a mount with the settings of one place, with the tag that a change of them is based on. */
export const settingsReply = <Body>(bodyOf: (overrides: StoredTenantSettings['overrides'], context: Context) => Body) =>
  ({
    replyHeaders: ['ETag'],
    present: ({ overrides, revision }: StoredTenantSettings, context: Context) => ({
      body: bodyOf(overrides, context),
      headers: { ETag: entityTag(revision) },
    }),
  }) as const;
