import { type GroupRow, listGroups } from '#console/api/groups.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type { CsvField, CsvPage } from '#console/data/csv/csv.ts';
import { causeName } from '#console/text/group-text.ts';
import { assigneeName } from '#domain/event/event-words.ts';

const PAGE = 100;

export const GROUP_FIELDS: readonly CsvField<GroupRow>[] = [
  ['Group ID', ({ correlationId }) => correlationId],
  ['Started', ({ timeSpan }) => timeSpan.start],
  ['Last activity', ({ lastActivity }) => lastActivity],
  ['Severity', ({ severity }) => severity],
  ['Status', ({ status }) => status],
  ['CI or host', causeName],
  ['Root cause', ({ title }) => title],
  ['Confidence', ({ rootCauseCandidate }) => rootCauseCandidate?.confidence],
  ['Open', ({ counts }) => counts.open],
  ['Acknowledged', ({ counts }) => counts.acknowledged],
  ['Events', ({ counts: { open, acknowledged, suppressed, resolved } }) => open + acknowledged + suppressed + resolved],
  ['CIs', ({ cis }) => cis.count],
  ['Services affected', ({ servicesHit }) => servicesHit.names.join('; ')],
  ['Assignee', assigneeName],
  ['Acknowledged at', ({ acknowledgedAt }) => acknowledgedAt],
];

export const groupsFile =
  (asked: AddressQuery) =>
  async (call: Call, cursor: string | undefined): Promise<CsvPage<GroupRow>> => {
    const { groups, pagination } = await listGroups(call, { ...asked, limit: PAGE, cursor });
    return { data: groups, pagination };
  };
