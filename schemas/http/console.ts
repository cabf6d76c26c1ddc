import { z } from 'zod';
import {
  DENSITIES,
  MAX_COLUMNS,
  MAX_HINTS,
  NO_SETTINGS,
  type StoredView,
  THEMES,
  VIEW_PAGES,
} from '#domain/access/console.ts';
import { PERMISSIONS, ROLES } from '#domain/access/permissions.ts';
import { CREDENTIAL_KINDS } from '#domain/limit-class.ts';
import { IsoTime, iso } from './time.ts';

/* Data of the console about its user. */

export const Me = z
  .object({
    user: z.object({
      _id: z.string().meta({ description: 'User or token ID' }),
      username: z.string(),
      name: z.string(),
      role: z.enum(ROLES).nullable(),
      mail: z.string().nullable().meta({ description: 'Email address of the user; null: none' }),
      credential: z.enum(CREDENTIAL_KINDS).meta({ description: 'jwt: a user who signed in' }),
      expires_at: IsoTime.nullable().meta({ description: 'Expiry of the credential; null: never' }),
    }),
    tenant: z.object({
      id: z.string().meta({ description: 'Effective tenant; differs from your own if X-Tenant-ID is set' }),
      own: z.string().meta({ description: 'Tenant of the credential' }),
    }),
    permissions: z.array(z.enum(PERMISSIONS)),
    features: z
      .object({ ai: z.boolean(), model: z.boolean(), reports: z.boolean(), webhooks: z.boolean(), demo: z.boolean() })
      .meta({ description: 'Server features; `model`: answers can use a language model' }),
    mode: z.enum(['embedded', 'distributed']),
    version: z.string(),
    time: IsoTime.meta({ description: 'Server time' }),
    empty: z.object({ events: z.boolean(), cis: z.boolean() }).meta({ description: 'True if the tenant has none' }),
  })
  .meta({ id: 'ConsoleMe' });

const columns = z.array(z.string().min(1).max(40)).max(MAX_COLUMNS);

/** Complete: an omitted field gets its default. */
export const ConsoleSettings = z
  .strictObject({
    zone: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .default(NO_SETTINGS.zone)
      .meta({ description: 'IANA time zone; null: that of the browser' }),
    theme: z.enum(THEMES).default(NO_SETTINGS.theme),
    density: z.enum(DENSITIES).default(NO_SETTINGS.density),
    shortcuts: z.boolean().default(NO_SETTINGS.shortcuts).meta({ description: 'Single-letter shortcuts are enabled' }),
    sound: z.boolean().default(NO_SETTINGS.sound).meta({ description: 'One short sound per new critical group' }),
    columns: z.partialRecord(z.enum(VIEW_PAGES), columns).default({}).meta({ description: 'Visible columns by page' }),
    views: z
      .partialRecord(z.enum(VIEW_PAGES), z.string().min(1).max(64))
      .default({})
      .meta({ description: 'ID of the default view of a page' }),
    hints: z
      .array(z.string().min(1).max(40))
      .max(MAX_HINTS)
      .default([...NO_SETTINGS.hints])
      .meta({ description: 'Dismissed hints' }),
  })
  .meta({ id: 'ConsoleSettings' });

export const NewView = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    page: z.enum(VIEW_PAGES),
    query: z.string().max(1_000).default('').meta({ description: 'Query string without the question mark' }),
    columns: columns.default([]),
    shared: z.boolean().default(false).meta({ description: 'Shared with all users of the tenant' }),
  })
  .meta({ id: 'NewView' });

export const View = z
  .object({
    id: z.string(),
    name: z.string(),
    page: z.enum(VIEW_PAGES),
    query: z.string(),
    columns: z.array(z.string()),
    shared: z.boolean(),
    mine: z.boolean(),
    by: z.string().meta({ description: 'Name of the owner' }),
    updated_at: IsoTime,
  })
  .meta({ id: 'View' });

export const ViewPath = z.object({ id: z.string().max(64) });

export const viewBody = (
  { id, name, page, query, columns: shown, owner, updatedAt }: StoredView,
  shared: boolean,
  reader: string,
): z.output<typeof View> => ({
  id,
  name,
  page,
  query,
  columns: [...shown],
  shared,
  mine: owner.id === reader,
  by: owner.name,
  updated_at: iso(updatedAt),
});
