/** Tenant id: 1–63 characters, so that it can be part of an index name or a host name. */
export const TENANT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const isTenantId = (text: string): boolean => TENANT_ID.test(text);

/** User name: 1–64 characters; upper and lower case are the same name. */
export const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;
/** The username of an email address: without characters that no username has. */
export const usernameOf = (mail: string): string =>
  mail
    .replaceAll(/[^A-Za-z0-9._@+-]/g, '')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
export const usernameKey = (username: string): string => username.toLowerCase();
