import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { PageLink } from '#console/cis/page-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import choice from '#console/data/choice.module.css';
import { IgnoredFilters } from '#console/data/ignored-filters.tsx';
import { Page } from '#console/frame/page.tsx';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { inSentence } from '#console/text/counts.ts';
import { type LandscapeData, readLandscape } from './api.ts';
import { BoxList } from './box-list.tsx';
import { BoxMap } from './box-map.tsx';
import { CiMap } from './ci-map.tsx';
import classes from './landscape.module.css';
import { countWords } from './landscape-text.ts';
import { LevelsChoice } from './levels-choice.tsx';
import { addressOf, askedLandscape, boxName, type LandscapePlace, PLACE_KNOWN, placeOf } from './place.ts';
import * as text from './texts.ts';

/** The least time between two reads, ms: each counts all CIs. */
const PACE_MS = 5_000;

const useLandscape = (place: LandscapePlace) => {
  const asked = askedLandscape(place);
  const found = useRead(['landscape', asked], (call, signal) => readLandscape(call, asked, signal), {
    placeholderData: keepPreviousData,
  });
  useLive(['events', 'topology'], () => found.refetch(), undefined, PACE_MS);
  return found;
};

interface PartProps {
  readonly data: LandscapeData;
  readonly place: LandscapePlace;
  readonly levels: readonly string[];
  readonly address: Address;
}

/** The way from all CIs to this part. */
function Trail({ data, place: { path }, levels, address }: PartProps) {
  const steps = [text.allCis, ...path.map((value, i) => boxName(levels[i] ?? '', { value }))];
  return (
    <nav className={classes.trail} aria-label={text.path}>
      {steps.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its position.
        <Fragment key={at}>
          {at === 0 ? null : <span aria-hidden>›</span>}
          {at === path.length ? (
            <strong aria-current="page">{name}</strong>
          ) : (
            <button
              type="button"
              className={`${choice.choice} ${classes.step}`}
              onClick={() => address.change(addressOf(levels, path.slice(0, at)))}
            >
              {name}
            </button>
          )}
        </Fragment>
      ))}
      <span className={classes.counts} role="status">
        {data.worst === null ? null : <SeverityMark severity={data.worst} />} {countWords(data)}
      </span>
    </nav>
  );
}

function Content({ data, place: { path }, levels, address }: PartProps) {
  const navigate = useNavigate();
  const open = (below: readonly (string | null)[] | null, ci: string | null): void => {
    if (ci !== null) void navigate({ to: `/cis/${ci}` });
    else if (below !== null) address.change(addressOf(levels, [...path, ...below]));
  };
  const { chosen = null } = address.query;
  if (data.map !== null && data.cis > 0)
    return (
      <CiMap found={data.map} selected={chosen} onSelect={(id) => address.change({ chosen: id }, { replace: true })} />
    );
  if (data.cis > 0)
    return (
      <div className={classes.twins}>
        <BoxMap data={data} onOpen={(tile) => open(tile.path, tile.ci)} />
        <BoxList key={JSON.stringify(path)} data={data} onOpen={(box) => open(box.path, box.ci)} />
      </div>
    );
  return path.length === 0 ? (
    <Notice title={text.noCis} ways={<Link to="/import">{text.importCis}</Link>}>
      {text.importHint}
    </Notice>
  ) : (
    <Notice title={text.noneHere} ways={<PageLink to="/landscape">{text.allCis}</PageLink>}>
      {text.noneHereHint}
    </Notice>
  );
}

/** All CIs as boxes within boxes. */
export function LandscapePage() {
  const address = useAddress();
  const place = placeOf(address.query);
  const landscape = useLandscape(place);
  return (
    <Page title={text.landscape} lead={text.lead}>
      <Region query={landscape} what={inSentence(text.landscape)} skeleton={<Skeleton rows={10} height={48} />}>
        {(data) => {
          const levels = place.levels ?? data.levels;
          return (
            <>
              <div className={classes.toolbar}>
                <Trail data={data} place={place} levels={levels} address={address} />
                <IgnoredFilters filters={[]} address={address} known={PLACE_KNOWN} />
                <LevelsChoice
                  levels={levels}
                  fields={data.fields}
                  onChange={(next) => address.change(addressOf(next, []))}
                />
              </div>
              <Content data={data} place={place} levels={levels} address={address} />
            </>
          );
        }}
      </Region>
    </Page>
  );
}
