import { z } from 'zod';
import { CERTAINTIES, type Claim } from '#domain/ai/evidence.ts';

export const ClaimBody = z
  .object({
    text: z.string(),
    refs: z.array(z.string()).meta({ description: 'Citations (refs) that support it' }),
    certainty: z.enum(CERTAINTIES),
  })
  .meta({ id: 'Claim' });

export const claimBody = ({ text, refs, certainty }: Claim): z.output<typeof ClaimBody> => ({
  text,
  refs: [...refs],
  certainty,
});
