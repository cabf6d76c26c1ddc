import type { Permission } from '#domain/access/permissions.ts';
import type { Call } from './link/call.ts';

/** Who uses the console, what they may do, and what the server has. */
export interface Me {
  readonly user: {
    readonly _id: string;
    readonly username: string;
    readonly name: string;
    readonly role: string | null;
  };
  readonly tenant: string;
  readonly permissions: readonly Permission[];
  readonly features: {
    readonly ai: boolean;
    readonly reports: boolean;
    readonly webhooks: boolean;
    readonly demo: boolean;
  };
  readonly mode: 'embedded' | 'distributed';
  readonly version: string;
  /** Of the server. */
  readonly time: string;
  readonly empty: { readonly events: boolean; readonly cis: boolean };
}

export const readMe = async (call: Call, signal?: AbortSignal): Promise<Me> =>
  (await call<{ readonly data: Me }>('GET /api/me', { signal })).data;
