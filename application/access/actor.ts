import type { Caller } from '#domain/access/caller.ts';
import type { Actor } from '#domain/event/event.ts';

/** The actor, as records store it: a caller without the credential, or a user. */
export const actorOf = ({ id, username, name }: Pick<Caller, 'id' | 'username' | 'name'>): Actor => ({
  id,
  username,
  name,
});
