import type { Caller } from '#domain/access/caller.ts';
import type { Actor } from '#domain/event/event.ts';

/** The actor, as records store it: without the credential. */
export const actorOf = ({ id, username, name }: Caller): Actor => ({ id, username, name });
