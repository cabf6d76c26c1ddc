import { invalid } from '#domain/fault.ts';
import type { Named } from '#features/questions/rules/chat/reading.ts';
import type { ChatTool, ToolFound } from '#features/questions/rules/chat/tools.ts';
import { type Range, readRange } from '#features/questions/rules/range.ts';
import type { ChatAsking } from './context.ts';
import { meantCi } from './meant-ci.ts';

export type ToolResult<T extends ChatTool> = Pick<ToolFound<T>, 'rows' | 'total' | 'range'>;

/** Throws Fault `invalid` for words that are no range. */
export function rangeOf({ receivedAt, zone }: ChatAsking, text: string | undefined): Range | null {
  if (text === undefined) return null;
  const range = readRange(text, receivedAt, zone);
  if (range === null) throw invalid('timeRange', 'expected for example 24h, last_30_days, yesterday or since monday');
  return range;
}

/** The CI of a parameter; null when it is not given. Throws Fault `invalid` when there is none. */
export async function ciOf(asking: ChatAsking, field: string, text: string | undefined): Promise<Named | null> {
  if (text === undefined) return null;
  const ci = await meantCi(asking, text);
  if (ci === null) throw invalid(field, 'no single CI has this id or name');
  return ci;
}
