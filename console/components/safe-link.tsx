import { linkOf } from './safe-address.ts';

/** A text of a sender: a link when it is an address of the web, else text. */
export function SafeLink({ text }: { readonly text: string }) {
  const address = linkOf(text);
  if (address === null) return text;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}
