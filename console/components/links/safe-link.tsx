import { linkOf } from './safe-address.ts';

interface Props {
  readonly text: string;
  /** Text to show; default: the address. */
  readonly shown?: string;
}

/** A text of a sender: a link when it is an address of the web, else text. */
export function SafeLink({ text, shown = text }: Props) {
  const address = linkOf(text);
  if (address === null) return text;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  );
}
