import { readFile } from 'node:fs/promises';
import { STOP } from '#features/questions/rules/grammar/words.ts';
import { bestPassages, passagesOf } from '#features/questions/rules/manual.ts';
import type { Desk } from '../desk.ts';

const PAGES = new URL('../../../../../docs/', import.meta.url);
/** Pages for users of the console. */
const READ = ['glossary.md', 'console.md', 'services.md'];
/** Words of questions about the product, which no passage needs. */
const ASKING =
  /^(?:how|what|where|which|when|can|could|should|would|mean(?:s|ing|t)?|vs|versus|explain|define|term|tell|faultline)$/;

/** The sentences of the documentation about an act or a term. */
async function tellManual({ lead, reading, ...desk }: Desk): Promise<void> {
  const pages = await Promise.all(READ.map((name) => readFile(new URL(name, PAGES), 'utf8')));
  const words = (reading.lower.match(/[\p{L}\p{N}-]+/gu) ?? []).filter((word) => !STOP.has(word) && !ASKING.test(word));
  const found = bestPassages(pages.flatMap(passagesOf), words);
  for (const { page, heading, text } of found)
    lead.push(`${text.length > 500 ? `${text.slice(0, 499)}…` : text} (${page}${heading && `, ${heading}`})`);
  if (found.length > 0) return;
  desk.isAbstained = true;
  lead.push('The documentation has no passage about it. Press ? for the keyboard shortcuts of a page.');
}
export const steps = tellManual;
export const meaning = tellManual;
