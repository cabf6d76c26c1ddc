import { z } from 'zod';
import { User } from '#schemas/http/events/event-view.ts';
import { IsoTime } from '#schemas/http/time.ts';

const SettingsVersionView = z
  .object({
    revision: z.int().min(0),
    at: IsoTime.nullable().meta({ description: 'Time of the change; null: before the oldest known change' }),
    by: User.nullable(),
    overrides: z.record(z.string(), z.unknown()).meta({ description: 'Settings changed by the tenant' }),
  })
  .meta({ id: 'SettingsVersion' });
export const SettingsVersions = z.array(SettingsVersionView);

export const SettingsRestore = z
  .strictObject({ revision: z.int().min(0).meta({ description: 'Revision of a version in the history' }) })
  .meta({ id: 'SettingsRestore' });
