import { SafeLink } from '#console/components/links/safe-link.tsx';
import classes from '../group.module.css';

/** Text of a user; addresses in it are links. */
export const NoteText = ({ text }: { readonly text: string }) => (
  <p className={classes.noteText}>
    {text.split(/(\s+)/).map((word, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: words stay where they are.
      <SafeLink key={at} text={word} />
    ))}
  </p>
);
