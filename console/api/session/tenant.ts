/** The selected tenant, when it is another one than that of the sign-in: a platform administrator may change it. */
export interface TenantChoice {
  readonly get: () => string | null;
  readonly choose: (tenant: string | null) => void;
  /** It is gone, or not for this person any more: back to the own one. */
  readonly lose: () => void;
}

interface TenantStorage {
  readonly read: () => string | null;
  readonly write: (tenant: string | null) => void;
  /** Data of another tenant is dropped. */
  readonly forget: () => void;
}

export function openTenantChoice({ read, write, forget }: TenantStorage): TenantChoice {
  let chosen = read();
  return {
    get: () => chosen,
    choose(tenant) {
      if (tenant === chosen) return;
      chosen = tenant;
      write(tenant);
      forget();
    },
    lose() {
      chosen = null;
      write(null);
    },
  };
}

const PREFIX = '#tenant=';

export const tenantHash = (tenant: string | null): string =>
  tenant === null ? '' : PREFIX + encodeURIComponent(tenant);

/** The tenant behind the `#` of an address; null: none. */
export const linkedTenant = (hash: string): string | null =>
  hash.startsWith(PREFIX) ? new URLSearchParams(hash.slice(1)).get('tenant') : null;
