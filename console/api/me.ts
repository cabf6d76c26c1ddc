import type { z } from 'zod';
import type { ConsoleSettings, Me as MeBody } from '#schemas/http/console.ts';
import type { Call } from './link/call.ts';

/** The user of the console, their permissions, and the features of the server. */
export type Me = z.output<typeof MeBody>;
type StoredSettings = z.output<typeof ConsoleSettings>;

export const readMe = async (call: Call, signal?: AbortSignal): Promise<Me> =>
  (await call<{ readonly data: Me }>('GET /api/me', { signal })).data;

export const readSettings = async (call: Call): Promise<StoredSettings> =>
  (await call<{ readonly data: StoredSettings }>('GET /api/me/settings')).data;

export const storeSettings = (call: Call, settings: z.input<typeof ConsoleSettings>): Promise<unknown> =>
  call('PUT /api/me/settings', { body: settings, outlives: true });

export const changeMail = (call: Call, mail: string | null, current: string): Promise<unknown> =>
  call('PUT /api/me/mail', { body: { mail, current } });

export const changePassword = (call: Call, current: string, next: string): Promise<unknown> =>
  call('POST /api/me/password', { body: { current, new: next } });
