import { Button } from '@mantine/core';
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type CiRow, type ListReply, listCis } from '#console/api/cmdb/cmdb.ts';
import type { Call } from '#console/api/link/call.ts';
import { typeWords, valueText } from '#console/cis/ci-words.ts';
import { Age } from '#console/components/age.tsx';
import compact from '#console/data/compact-table.module.css';
import { type CsvField, type CsvPage, wholeList } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { inPlace, useSlot } from '#console/slots/feature.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import * as shared from '#console/text/texts.ts';
import { itemAt } from '#domain/assert.ts';
import { listReviews, listScannerTokens, listScans, type ReviewData, readUnbound, resolveReview } from './api.ts';
import classes from './discovery.module.css';
import { compared, HOST_FIELDS, REVIEW_FIELDS, SCAN_FIELDS, TOKEN_FIELDS, toldApart } from './discovery-text.ts';
import { HostsTab } from './hosts-tab.tsx';
import { ScansTab } from './scans-tab.tsx';
import * as text from './texts.ts';
import { TokensTab } from './tokens-tab.tsx';

const nameOf = ({ host }: ReviewData): string =>
  valueText(host.hostname) || valueText(host.ip_address) || shared.unknownHost;

function ReviewCard({ review }: { readonly review: ReviewData }) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const mayManage = useMay('discovery.manage');
  const [isBusy, setBusy] = useState(false);
  const ids = review.candidates.map(({ id }) => id);
  const cis = useRead(
    ['cis', 'named', ids],
    async (call, signal) => (await listCis(call, { ids, limit: 100 }, signal)).data,
    { enabled: ids.length > 0 },
  );
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
      showToast({ text: words });
    } catch (error) {
      showError(text.couldntSaveDecision, error);
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
          {text.scannedBy(review.scanner_id)} <Age since={review.seen_at} />
        </span>
        <span className={classes.reason}>{review.reason}</span>
      </div>
      <div className={compact.place}>
        <table className={`${compact.table} ${classes.table}`}>
          <thead>
            <tr>
              <th>{text.field}</th>
              <th scope="col">{text.scannedHost}</th>
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
                {said.map(({ text: value, isSame }, at) => (
                  <td key={candidates[at]?.id} data-same={isSame || undefined}>
                    {value === '' ? <span className={classes.dim}>{text.empty}</span> : value}
                    {isSame ? <span className={classes.dim}> {text.match}</span> : null}
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
              onClick={() => void decide({ ci_id: id }, text.matched(name, ci))}
            >
              {text.matchOf(ci, toldApart(candidates, at))}
            </Button>
          ))}
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() => void decide({ create: true }, text.createdCi(name))}
          >
            {text.createCi}
          </Button>
          <Button
            variant="subtle"
            disabled={isBusy}
            onClick={() => void decide({ dismiss: true }, text.dismissed(name))}
          >
            {text.dismiss}
          </Button>
        </div>
      ) : (
        <p className={classes.dim}>{text.requiresDiscoveryManage}</p>
      )}
    </li>
  );
}

/** Lists machines with an ambiguous CI. */
function ReviewsTab({ reviews }: { readonly reviews: UseQueryResult<ListReply<ReviewData>> }) {
  return (
    <Region query={reviews} what={nouns.reviews} skeleton={<Skeleton rows={6} height={44} />}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <Notice title={text.nothingToReview}>{text.nothingToReviewHint}</Notice>
        ) : (
          <>
            <ul className={classes.cards}>
              {data.map((review) => (
                <ReviewCard key={review.id} review={review} />
              ))}
            </ul>
            {pagination.total > data.length ? (
              <p className={classes.dim}>{text.showing(data.length, number(pagination.total))}</p>
            ) : null}
          </>
        )
      }
    </Region>
  );
}

const MAX_HOSTS = 100;
const MIN_MS = 5_000;
const FEW_REVIEWS = 20;

const file = <Row,>(
  name: string,
  fields: readonly CsvField<Row>[],
  read: (call: Call, cursor: string | undefined) => Promise<CsvPage<Row>>,
) => <ExportButton key={name} name={name} fields={fields} read={read} />;

/** Buttons that save the list of a tab. */
const FILES: Readonly<Record<string, ReactNode>> = {
  scans: file('scans', SCAN_FIELDS, (call, cursor) => listScans(call, { limit: MAX_HOSTS, cursor })),
  reviews: file('reviews', REVIEW_FIELDS, (call, cursor) => listReviews(call, { limit: FEW_REVIEWS, cursor })),
  hosts: file('unbound-hosts', HOST_FIELDS, async (call) =>
    wholeList((await readUnbound(call, { limit: MAX_HOSTS })).hosts),
  ),
  tokens: file('discovery-tokens', TOKEN_FIELDS, (call, cursor) =>
    listScannerTokens(call, { limit: MAX_HOSTS, cursor }),
  ),
};

interface DiscoveryTab {
  readonly place: number;
  readonly value: string;
  readonly words: string;
  readonly count?: number | undefined;
  readonly shown: ReactNode;
}

/** Findings of scanners, and questions for a person. */
export function DiscoveryPage() {
  const { call } = useAppServices();
  const address = useAddress();
  const mayRead = useMay('events.read');
  const mayManage = useMay('discovery.manage');
  const reviews = useRead(['discovery', 'reviews'], (call, signal) =>
    listReviews(call, { limit: FEW_REVIEWS }, signal),
  );
  const hosts = useRead(['discovery', 'hosts'], (call, signal) => readUnbound(call, { limit: MAX_HOSTS }, signal), {
    enabled: mayRead,
  });
  const added = useSlot('pageTabs').filter(({ page }) => page === '/discovery');
  const counts = useQueries({ queries: added.map(({ count }) => count(call)) });
  useLive(['scans'], () => reviews.refetch(), undefined, MIN_MS);
  useLive(['events', 'topology'], () => mayRead && hosts.refetch(), undefined, MIN_MS);
  const parts = inPlace<DiscoveryTab>([
    { place: 10, value: 'scans', words: text.scans, shown: <ScansTab address={address} /> },
    {
      place: 20,
      value: 'reviews',
      words: text.reviews,
      count: reviews.data?.pagination.total,
      shown: <ReviewsTab reviews={reviews} />,
    },
    ...added.map(({ id, place, words, Part: Shown }, at) => ({
      place,
      value: id,
      words,
      count: counts[at]?.data,
      shown: <Shown />,
    })),
    ...(mayRead
      ? [
          {
            place: 30,
            value: 'hosts',
            words: text.unboundHosts,
            count: hosts.data?.hosts.length,
            shown: <HostsTab hosts={hosts} />,
          },
        ]
      : []),
    ...(mayManage ? [{ place: 40, value: 'tokens', words: text.discoveryTokens, shown: <TokensTab /> }] : []),
  ]);
  const { value: tab, shown } = parts.find(({ value }) => value === address.query.tab) ?? itemAt(parts, 0);
  return (
    <Page title={text.discovery} scrolls lead={text.discoveryLead} actions={FILES[tab]}>
      <div className={classes.tabs}>
        <Tabs
          label={text.discoverySections}
          value={tab}
          tabs={parts}
          onChange={(next) => address.change({ tab: next === 'scans' ? null : next, scan: null })}
        />
      </div>
      {shown}
    </Page>
  );
}
