import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { IsoTime } from '#schemas/http/time.ts';

/** Insights of CIs as they leave (docs/ai.md). */

export const CiPath = z.object({ ciId: z.string() });
const sentences = z.string().meta({ description: 'Sentences, one per line' });

export const InsightBody = succeeded({
  ciId: z.string(),
  insights: sentences,
  generatedAt: IsoTime,
  ...evidenceFields,
});
export const StoredInsightBody = succeeded({ insight: sentences, storedAt: IsoTime, ...evidenceFields });

const MAX_HISTORY = 100;
export const HistoryQuery = z.strictObject({ limit: wholeNumber(1, MAX_HISTORY).default(10) });
export const HistoryBody = succeeded({
  ciId: z.string(),
  insights: z.array(z.object({ id: z.string(), generatedAt: IsoTime, content: sentences, ...evidenceFields })),
});
