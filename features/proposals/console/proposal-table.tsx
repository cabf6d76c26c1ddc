import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { valueText, wayWords } from '#console/cis/ci-words.ts';
import compact from '#console/data/compact-table.module.css';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Age } from '#console/facts/age.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { Check } from '#console/grid/check.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { count, number, percent } from '#console/words/counts.ts';
import { decideProposals, type Proposal } from './api.ts';
import classes from './proposal-table.module.css';

const evidenceText = ({ evidence }: Proposal): string =>
  Object.entries(evidence)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueText(value)}`)
    .join(', ');
const endsText = ({ sourceName, targetName, type }: Proposal): string => `${sourceName} ${type} ${targetName}`;

/** Decides about the chosen ones in one request. */
const useDecision = (done: () => void) => {
  const { call } = useParts();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const decide = async (ids: readonly string[], isAccepted: boolean): Promise<void> => {
    setBusy(true);
    try {
      const { accepted, rejected, failed } = await decideProposals(call, {
        accept: isAccepted ? ids : [],
        reject: isAccepted ? [] : ids,
      });
      const what = isAccepted ? `Accepted ${count(accepted, 'proposal')}` : `Rejected ${count(rejected, 'proposal')}`;
      say({ text: failed.length === 0 ? what : `${what}; ${number(failed.length)} failed: ${failed[0]?.reason}` });
      done();
    } catch (error) {
      sayFailure("Couldn't save the decision", error);
    }
    setBusy(false);
    await Promise.all(['proposals', 'topology', 'cis'].map((area) => queries.invalidateQueries({ queryKey: [area] })));
  };
  return { isBusy, decide };
};

const COLUMNS: readonly SimpleColumn<Proposal>[] = [
  { title: 'Source', isName: true, cell: ({ source, sourceName }) => <Link to={`/cis/${source}`}>{sourceName}</Link> },
  { title: 'Type', cell: ({ type }) => wayWords(type.replaceAll('-', '_'), 'outgoing') },
  { title: 'Target', cell: ({ target, targetName }) => <Link to={`/cis/${target}`}>{targetName}</Link> },
  { title: 'Confidence', isNumber: true, cell: ({ confidence }) => percent(confidence) },
  {
    title: 'Evidence',
    cell: (proposal) => <span className={classes.evidence}>{evidenceText(proposal) || '–'}</span>,
  },
  { title: 'Proposed', isNumber: true, cell: ({ createdAt }) => <Age since={createdAt} after=" ago" /> },
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
    title: 'Select',
    cell: (proposal) => (
      <Check
        aria-label={`Select ${endsText(proposal)}`}
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
            Accept {ids.length > 0 ? number(ids.length) : ''}
          </Button>
          <Button variant="default" disabled={isBusy || ids.length === 0} onClick={() => void decide(ids, false)}>
            Reject {ids.length > 0 ? number(ids.length) : ''}
          </Button>
          <Button variant="subtle" onClick={() => setChosen(new Set(isAll ? [] : proposals.map(({ id }) => id)))}>
            {isAll ? 'Clear selection' : 'Select all'}
          </Button>
        </div>
      ) : null}
      <div className={compact.framed}>
        <SimpleTable
          label="Proposals"
          rows={proposals}
          idOf={({ id }) => id}
          columns={mayDecide ? [choice, ...COLUMNS] : COLUMNS}
        />
      </div>
    </>
  );
}
