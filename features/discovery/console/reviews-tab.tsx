import { Button } from '@mantine/core';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type CiRow, type Listed, listCis } from '#console/api/cmdb/cmdb.ts';
import { typeWords, valueText } from '#console/cis/ci-words.ts';
import compact from '#console/data/compact-table.module.css';
import { Age } from '#console/facts/age.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/words/counts.ts';
import { type ReviewShown, resolveReview } from './api.ts';
import classes from './discovery.module.css';
import { compared, toldApart } from './discovery-words.ts';

const nameOf = ({ host }: ReviewShown): string => valueText(host.hostname) || valueText(host.ip_address) || 'a machine';

function ReviewCard({ review }: { readonly review: ReviewShown }) {
  const { call } = useParts();
  const queries = useQueryClient();
  const mayManage = useMay('discovery.manage');
  const [isBusy, setBusy] = useState(false);
  const ids = review.candidates.map(({ id }) => id);
  const cis = useQuery({
    queryKey: ['cis', 'named', ids],
    queryFn: async ({ signal }) => (await listCis(call, { ids, limit: 100 }, signal)).data,
    enabled: ids.length > 0,
  });
  const known = new Map((cis.data ?? []).map((ci): [string, CiRow] => [ci._id, ci]));
  const candidates = review.candidates.map(({ id, name, type }) => ({
    id,
    name,
    type,
    attributes: known.get(id)?.attributes ?? {},
  }));
  const decide = async (answer: Parameters<typeof resolveReview>[2], words: string): Promise<void> => {
    setBusy(true);
    try {
      await resolveReview(call, review.id, answer);
      say({ text: words });
    } catch (error) {
      sayFailure('It could not be decided', error);
    }
    setBusy(false);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['discovery'] }),
      queries.invalidateQueries({ queryKey: ['cis'] }),
    ]);
  };
  const name = nameOf(review);
  return (
    <li className={classes.card}>
      <div className={classes.reviewHead}>
        <strong>{name}</strong>
        <span className={classes.dim}>
          seen by {review.scanner_id} <Age since={review.seen_at} after=" ago" />
        </span>
        <span className={classes.reason}>{review.reason}</span>
      </div>
      <div className={compact.place}>
        <table className={`${compact.table} ${classes.table}`}>
          <thead>
            <tr>
              <th>Which is it?</th>
              <th scope="col">The scanner says</th>
              {candidates.map(({ id, name: ci, type }) => (
                <th key={id} scope="col" data-name>
                  <Link to={`/cis/${id}`}>{ci}</Link> {typeWords(type)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compared(review.host, candidates).map(({ field, host, cis: said }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{host}</td>
                {said.map(({ text, isSame }, at) => (
                  <td key={candidates[at]?.id} data-same={isSame || undefined}>
                    {text === '' ? <span className={classes.dim}>says nothing</span> : text}
                    {isSame ? <span className={classes.dim}> · the same</span> : null}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {mayManage ? (
        <div className={classes.ways}>
          {candidates.map(({ id, name: ci }, at) => (
            <Button
              key={id}
              variant="default"
              disabled={isBusy}
              onClick={() => void decide({ ci_id: id }, `${name} is ${ci}; later scans know it`)}
            >
              Bind to {ci}
              {toldApart(candidates, at)}
            </Button>
          ))}
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() => void decide({ create: true }, `${name} is a CI of its own now`)}
          >
            Create new CI
          </Button>
          <Button
            variant="subtle"
            disabled={isBusy}
            onClick={() => void decide({ dismiss: true }, `${name} is left out`)}
          >
            Dismiss
          </Button>
        </div>
      ) : (
        <p className={classes.dim}>To decide it needs discovery.manage.</p>
      )}
    </li>
  );
}

/** Machines of which the data does not say for sure which CI they are. */
export function ReviewsTab({ reviews }: { readonly reviews: UseQueryResult<Listed<ReviewShown>> }) {
  return (
    <Region query={reviews} what="What is to decide" skeleton={<Skeleton rows={6} height={44} />}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <Notice title="Nothing is to decide">
            When a scanner sees a machine that may be one of several CIs, it is asked about here.
          </Notice>
        ) : (
          <>
            <ul className={classes.cards}>
              {data.map((review) => (
                <ReviewCard key={review.id} review={review} />
              ))}
            </ul>
            {pagination.total > data.length ? (
              <p className={classes.dim}>
                The first {data.length} of {number(pagination.total)}; the others follow as these are decided.
              </p>
            ) : null}
          </>
        )
      }
    </Region>
  );
}
