import type { Issued } from '#application/access/sessions.ts';

/** New tokens as the reply of login, refresh and a change of the own password. */
export const presentIssued = ({ token, refreshToken, expiresIn, tenant, user }: Issued) => {
  const { id, username, name, role } = user;
  return {
    body: { token, refreshToken, expiresIn, user: { _id: id, username, name, role, tenant } },
    headers: { 'Cache-Control': 'no-store' },
  };
};
