/** The address that a text of a sender is, or null: nothing but http and https is ever followed. */
export const linkOf = (text: string): string | null => {
  if (!/^https?:\/\/\S+$/i.test(text)) return null;
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  } catch {
    return null;
  }
};
