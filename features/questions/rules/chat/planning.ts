import type { EvidencePack } from '#domain/ai/evidence.ts';
import { lineOf, type PromptWording, textIn, trimmedPack } from '#features/ai/rules/prompt/prompt.ts';
import { estimateTokens } from '#features/ai/rules/tokens.ts';
import { aliasesOf, findingsOf } from './evidence.ts';
import type { ToolRun } from './tools.ts';

/** The prompt of a model that chooses calls. */

/** Of one call, so that one long list leaves room for others. */
const MAX_RESULT_TOKENS = 1_200;

/** Evidence of all calls, as a model may know it; its aliases stay as more calls come. */
export const packOf = (runs: readonly ToolRun[]): EvidencePack => trimmedPack(findingsOf(runs).pack);

const paramsOf = ({ params }: ToolRun, pack: EvidencePack, wording: PromptWording): string =>
  Object.entries(params as Readonly<Record<string, string>>)
    .map(([name, value]) => {
      const known = pack.find(({ id }) => id === value);
      return ` ${name}=${known?.alias ?? textIn(value, wording)}`;
    })
    .join('');

/** Whole rows, as many as fit; the first line says how many there are. */
function resultLines(
  run: ToolRun,
  aliases: readonly string[],
  pack: EvidencePack,
  room: number,
  wording: PromptWording,
) {
  const head = `${run.tool}${paramsOf(run, pack, wording)}:`;
  if (run.error !== null) return [`${head} error, ${run.error}`];
  const items = pack.filter(({ alias }) => aliases.includes(alias));
  const rows: string[] = [];
  let left = Math.min(MAX_RESULT_TOKENS, room) - estimateTokens(`${head} 00 of 0000000 rows`, wording.correction);
  for (const item of items) {
    const line = lineOf(item, wording);
    left -= estimateTokens(line, wording.correction);
    if (left < 0) break;
    rows.push(line);
  }
  return [`${head} ${Math.min(rows.length, run.rows.length)} of ${run.total} rows`, ...rows];
}

/** Results of the calls, the newest with the most room, within `wording.room` tokens; `notes` are words of our own. */
export function shownRuns(runs: readonly ToolRun[], notes: readonly string[], wording: PromptWording): string {
  const findings = findingsOf(runs);
  const pack = trimmedPack(findings.pack);
  const said = notes.map((note) => `- ${note}`);
  let room = wording.room - estimateTokens(said.join(' '), wording.correction);
  const blocks: string[] = [];
  for (const run of [...runs].reverse()) {
    const lines = resultLines(run, aliasesOf(findings, run), pack, room, wording);
    const tokens = estimateTokens(lines.join(' '), wording.correction);
    if (tokens > room) break;
    room -= tokens;
    blocks.unshift(lines.join('\n'));
  }
  return ['RESULTS', ...(blocks.length === 0 ? ['none yet'] : blocks), ...said].join('\n');
}
