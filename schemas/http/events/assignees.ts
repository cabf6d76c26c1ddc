import { z } from 'zod';
import { succeeded } from '#schemas/http/envelope.ts';

/** Users and teams that can be assigned events. */
export const AssigneesReply = succeeded({
  users: z.array(z.object({ _id: z.string(), username: z.string(), name: z.string() })),
  teams: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      mine: z.boolean().meta({ description: 'True if you are a member' }),
    }),
  ),
});
