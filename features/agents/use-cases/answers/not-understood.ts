import { firstItem } from '#domain/known.ts';
import { AGENTS, type AgentId } from '#features/agents/rules/agents.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import type { Mentioned } from './mentioned.ts';
import type { Said } from './say.ts';

/** `web-01`, `db.example.org`; not `24h`, `last_30_days` or `sev-1`. */
const HOST_LIKE = /^(?=[^\d]*\d|[^.]+\.)(?!(?:sev|prio|p|q)-?\d$)\p{L}[\p{L}\p{N}.:-]{3,}$/iu;
/** Anything that an agent may be asked about. */
const TOPICS =
  /\b(?:event|alert|alarm|incident|outage|problem|issue|fail|group|correlat|together|apart|related|cause|culprit|reason|why|happen|wrong|broke|down\b|depend|relation|proposal|proposed|connect|impact|affect|chang|risk|upgrade|update|patch|deploy|restart|reboot|migrat|release|maintenance|planned|trend|worse|better|more|fewer|rise|rising|grow|expect|forecast|predict|capacity|cost|budget|token|usage|noise|noisy|critical|host|server|machine|duplicate|merge|reconcil|review|name|address|scan|ci\b|cis\b|ai\b)/i;
/** Only what is left of today is forecast. */
const LATER = /\b(?:tomorrow|next (?:week|month|quarter|year))\b/i;

const SHOWN = 80;

/** Why a question cannot be answered; null when it can. */
function notUnderstood(agent: AgentId, text: string, { events, groups, cis, names }: Mentioned): string | null {
  const later = agent === 'capacity' ? LATER.exec(text)?.[0] : undefined;
  if (later !== undefined) return `Not understood: "${later}"; only today is forecast.`;
  // Which CI a name is, and that it is none, is what reconciliation answers.
  if (agent === 'reconciliation' || events.length + groups.length + cis.length > 0) return null;
  const unknown = names.filter(({ text: name, ci }) => ci === null && HOST_LIKE.test(name));
  if (unknown.length > 0) {
    const [{ text: name, isAmbiguous }] = [firstItem(unknown)];
    return `Not understood: ${isAmbiguous ? `several CIs may be "${name}"` : `nothing is known by the name "${name}"`}.`;
  }
  if (TOPICS.test(text)) return null;
  const said = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return `Not understood: "${said}". This agent answers: ${AGENTS[agent].capabilities.join(', ')}.`;
}

/** The refusal of a question that is not understood; null when it is. */
export function sayNotUnderstood(agent: AgentId, text: string, mentioned: Mentioned): Said | null {
  const why = notUnderstood(agent, text, mentioned);
  if (why === null) return null;
  const findings = new Findings();
  findings.say(why, [findings.add({ kind: 'query', id: 'question', label: 'question', facts: [] })]);
  const reasoning = 'Nothing was read, because the question was not understood.';
  return { findings, confidence: 0, reasoning, abstained: true, task: '' };
}
