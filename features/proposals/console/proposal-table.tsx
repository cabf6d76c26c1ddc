import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { valueText, wayWords } from '#console/cis/ci-words.ts';
import compact from '#console/data/compact-table.module.css';
import { ageColumn, type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { Check } from '#console/grid/check.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { count, number } from '#console/text/counts.ts';
import { percent } from '#domain/numbers.ts';
import { decideProposals, type Proposal } from './api.ts';
import classes from './proposal-table.module.css';
import * as text from './texts.ts';

const evidenceText = ({ evidence }: Proposal): string =>
  Object.entries(evidence)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueText(value)}`)
    .join(', ');
const endsText = ({ sourceName, targetName, type }: Proposal): string => `${sourceName} ${type} ${targetName}`;

/** Decides about the chosen ones in one request. */
const useDecision = (done: () => void) => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const decide = async (ids: readonly string[], isAccepted: boolean): Promise<void> => {
    setBusy(true);
    try {
      const { accepted, rejected, failed } = await decideProposals(call, {
        accept: isAccepted ? ids : [],
        reject: isAccepted ? [] : ids,
      });
      const what = isAccepted
        ? text.acceptedProposals(count(accepted, 'proposal'))
        : text.rejectedProposals(count(rejected, 'proposal'));
      showToast({
        text: failed.length === 0 ? what : text.failed(what, number(failed.length), failed[0]?.reason ?? ''),
      });
      done();
    } catch (error) {
      showError(text.couldntSaveDecision, error);
    }
    setBusy(false);
    await Promise.all(['proposals', 'topology', 'cis'].map((area) => queries.invalidateQueries({ queryKey: [area] })));
  };
  return { isBusy, decide };
};

export const PROPOSAL_COLUMNS: readonly SimpleColumn<Proposal>[] = [
  {
    title: text.source,
    isName: true,
    cell: ({ source, sourceName }) => <Link to={`/cis/${source}`}>{sourceName}</Link>,
    value: ({ sourceName }) => sourceName,
  },
  { title: text.type, cell: ({ type }) => wayWords(type.replaceAll('-', '_'), 'outgoing') },
  {
    title: text.target,
    cell: ({ target, targetName }) => <Link to={`/cis/${target}`}>{targetName}</Link>,
    value: ({ targetName }) => targetName,
  },
  { title: text.confidenceLabel, isNumber: true, cell: ({ confidence }) => percent(confidence) },
  {
    title: text.evidence,
    cell: (proposal) => <span className={classes.evidence}>{evidenceText(proposal) || '–'}</span>,
    value: evidenceText,
  },
  { ...ageColumn(text.proposed, ({ createdAt }) => createdAt), isNumber: true },
];

/** Proposed relationships with their evidence, to accept or reject together. */
export function ProposalTable({ proposals }: { readonly proposals: readonly Proposal[] }) {
  const mayDecide = useMay('cmdb.write');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, decide } = useDecision(() => setChosen(new Set()));
  const ids = proposals.map(({ id }) => id).filter((id) => chosen.has(id));
  const isAll = ids.length === proposals.length;
  const choose = (id: string): void =>
    setChosen(new Set(chosen.has(id) ? ids.filter((one) => one !== id) : [...ids, id]));
  const choice: SimpleColumn<Proposal> = {
    title: text.select,
    cell: (proposal) => (
      <Check
        aria-label={text.selectOf(endsText(proposal))}
        checked={chosen.has(proposal.id)}
        onChange={() => choose(proposal.id)}
      />
    ),
  };
  return (
    <>
      {mayDecide ? (
        <div className={classes.ways}>
          <Button disabled={isBusy || ids.length === 0} onClick={() => void decide(ids, true)}>
            {text.accept} {ids.length > 0 ? number(ids.length) : ''}
          </Button>
          <Button variant="default" disabled={isBusy || ids.length === 0} onClick={() => void decide(ids, false)}>
            {text.reject} {ids.length > 0 ? number(ids.length) : ''}
          </Button>
          <Button variant="subtle" onClick={() => setChosen(new Set(isAll ? [] : proposals.map(({ id }) => id)))}>
            {isAll ? text.clearSelection : text.selectAll}
          </Button>
        </div>
      ) : null}
      <div className={compact.framed}>
        <SimpleTable
          label={text.proposals}
          rows={proposals}
          idOf={({ id }) => id}
          columns={mayDecide ? [choice, ...PROPOSAL_COLUMNS] : PROPOSAL_COLUMNS}
        />
      </div>
    </>
  );
}
