import { entityTag } from '#application/records/if-match.ts';
import type { KeptSettings } from '#application/tenants/settings.ts';
import type { Context } from './endpoint.ts';

/** How a mount shows the settings of one place, with the tag that a change of them is based on. */
export const settingsReply = <Body>(bodyOf: (overrides: KeptSettings['overrides'], context: Context) => Body) =>
  ({
    replyHeaders: ['ETag'],
    present: ({ overrides, revision }: KeptSettings, context: Context) => ({
      body: bodyOf(overrides, context),
      headers: { ETag: entityTag(revision) },
    }),
  }) as const;
