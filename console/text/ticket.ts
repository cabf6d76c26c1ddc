import type { GroupDetailData } from '#console/api/groups.ts';
import { groupTitle, howWords, isCertain, sentence } from './group-text.ts';

/** A group as it is pasted into a ticket or a chat. */
export const ticketText = (group: GroupDetailData, link: string): string => {
  const { cause, severity, timeSpan, impactedServices } = group;
  const why =
    cause === null
      ? 'No root cause identified.'
      : `${isCertain(group) ? 'Probable root cause' : 'Possible root cause (low confidence)'}: ${cause.event.title}${cause.ci === null ? '' : ` on ${cause.ci.name}`} (${howWords(group, cause)})`;
  return [
    `${(severity ?? 'unknown').toUpperCase()}: ${groupTitle(group)}`,
    sentence(group),
    why,
    ...(impactedServices.length === 0 ? [] : [`Services: ${impactedServices.map(({ name }) => name).join(', ')}`]),
    `Started ${timeSpan.start}`,
    link,
  ].join('\n');
};

/** The same with headings and a link that can be followed. */
export const ticketMarkdown = (group: GroupDetailData, link: string): string => {
  const [head, said, ...rest] = ticketText(group, link).split('\n').map(escapedMarkdown);
  return [
    `### ${head}`,
    '',
    said,
    '',
    ...rest.slice(0, -1).map((line) => `- ${line}`),
    `- [Open in Faultline](${link})`,
  ].join('\n');
};

/** Titles are external: they are text, not markup. */
export const escapedMarkdown = (text: string): string => text.replaceAll(/([\\`*_[\]<>#|])/g, '\\$1');

export const curlOf = (root: string, id: string): string =>
  `curl -H "Authorization: Bearer $FAULTLINE_TOKEN" '${root}api/events/groups/${encodeURIComponent(id)}'`;
