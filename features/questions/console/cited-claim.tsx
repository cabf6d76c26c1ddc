import { Link } from '@tanstack/react-router';
import type { AssistantAnswer, Citation } from './api.ts';
import classes from './assistant.module.css';
import { isThere, placeOf } from './places.ts';

interface Props {
  /** Addresses of the pages that the person has. */
  readonly pages: readonly string[];
}

function Cited({ citation, pages }: Props & { readonly citation: Citation }) {
  const place = placeOf(citation);
  if (place === null || !isThere(place, pages)) return <span className={classes.cited}>{citation.label}</span>;
  return (
    <Link to={place.to} search={place.search as never} className={classes.cited}>
      {citation.label}
    </Link>
  );
}

interface ClaimProps extends Props {
  readonly claim: AssistantAnswer['claims'][number];
  readonly citations: readonly Citation[];
}

/** A sentence of an answer with links to its evidence. */
export function CitedClaim({ claim: { text: sentence, refs, certainty }, citations, pages }: ClaimProps) {
  const cited = refs.flatMap((ref) => citations.find((one) => one.ref === ref) ?? []);
  return (
    <p className={classes.claim}>
      {sentence} {certainty === 'fact' ? null : <span className={classes.certainty}>{certainty}</span>}
      {cited.length === 0 ? null : (
        <span className={classes.citations}>
          {cited.map((citation) => (
            <Cited key={citation.ref} citation={citation} pages={pages} />
          ))}
        </span>
      )}
    </p>
  );
}
