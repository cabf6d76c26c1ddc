import { percent } from '#domain/numbers.ts';
import type { AnalysisResult } from '#features/analyzer/schemas/infrastructure.ts';
import type { ReplyOf } from '#infra/cli/client/replies.ts';
import { citationLines, marked } from '#infra/cli/commands/cited-texts.ts';
import { count, counted, tableOf } from '#infra/cli/terminal/screen.ts';

/** One page of a result. */
export type ResultReply = ReplyOf<typeof AnalysisResult>;
export type FoundReply = ResultReply['services'][number];

/** `2 frontend, 1 data`. */
const tierText = (tiers: FoundReply['tiers']): string =>
  Object.entries(tiers)
    .filter(([, members]) => members > 0)
    .map(([tier, members]) => `${members} ${tier}`)
    .join(', ');

/** Those that the table leaves out because they are not sure enough. */
const leftOutText = (services: number, shown: number): string => {
  const left = services - shown;
  if (left <= 0) return '';
  return ` ${count(left)} of them ${left === 1 ? 'is' : 'are'} not shown, being less sure than --min-confidence.`;
};

const summaryText = ({ statistics, sessionId }: ResultReply, shown: number): string => {
  const { cis, services, unassigned, hubs, truncated } = statistics;
  const found = `${counted(services, 'service')} among ${counted(cis, 'CI')}.${leftOutText(services, shown)}`;
  const none =
    unassigned === 0
      ? 'Each CI belongs to one'
      : `${counted(unassigned, 'CI')} ${unassigned === 1 ? 'belongs' : 'belong'} to none`;
  const carrying = hubs === 0 ? '' : `, ${count(hubs)} of them ${hubs === 1 ? 'a hub' : 'hubs'} that many need`;
  const cut = truncated ? ' More is in the CMDB than was read.' : '';
  return `${found} ${none}${carrying}.${cut} Session ${sessionId}.`;
};

/** Services as a table, the surest first. */
export function servicesText(result: ResultReply, shown: readonly FoundReply[]): string {
  if (result.services.length === 0)
    return `${summaryText(result, 0)}\nNo two CIs are connected in a way that tells of a service: add relationships, or send scans with connections.`;
  const table = tableOf(
    [
      { title: 'service', width: 30 },
      { title: 'category' },
      { title: 'CIs', right: true },
      { title: 'sure', right: true },
      { title: 'tiers', width: 34 },
    ],
    shown.map(({ name, category, size, confidence, tiers }) => [
      name,
      category,
      count(size),
      percent(confidence),
      tierText(tiers),
    ]),
  );
  return `${table}\n${summaryText(result, shown.length)}`;
}

/** One service with its members and what it stands on. */
export const foundText = ({ evidence, members, ...service }: FoundReply, { citations }: ResultReply): string => {
  const refs = new Set(evidence.flatMap((sentence) => sentence.refs));
  return [
    `${service.name}: ${service.category}, ${percent(service.confidence)} sure`,
    ...evidence.map((sentence) => marked(sentence.text, sentence.refs)),
    tableOf(
      [{ title: 'CI' }, { title: 'type' }, { title: 'tier' }, { title: 'role' }, { title: 'sure', right: true }],
      members.map(({ name, type, tier, role, confidence }) => [
        name,
        type,
        tier,
        role.replaceAll('-', ' '),
        // The CI that stands for the service itself has no role in it.
        confidence === 0 ? '–' : percent(confidence),
      ]),
    ),
    ...citationLines(citations.filter(({ ref }) => refs.has(ref))),
  ].join('\n');
};
