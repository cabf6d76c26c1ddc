import type { Caller } from '#domain/access/caller.ts';
import type { Actor } from '#domain/event/event.ts';

/** Who did it, as records keep it: nothing of the credential. */
export const actorOf = ({ id, username, name }: Caller): Actor => ({ id, username, name });
